/** The problems of a menu, without the check itself, which only the editor of menus downloads. */
export const menuFindingKinds = ['dead-end', 'unreachable', 'no-hand-over', 'missing-queue', 'missing-title'] as const
