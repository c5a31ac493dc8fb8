import { z } from 'zod'
import {
  bodyLimitBytes,
  del,
  get,
  idParams,
  messageReply,
  nullableRef,
  optionalText,
  post,
  put,
  ref,
  requiredText,
} from './endpoint.ts'
import { menuLeafActions } from './menu/leaf-actions.ts'
import { menuFindingKinds } from './menu/menu-finding-kinds.ts'
import { skillIds } from './routing/skills.ts'

/** One option of a queue's menu. Children reference their parent; siblings are ordered by `option`. */
export const QueueOption = z.object({
  id: z.number(),
  queueId: z.number(),
  parentId: z.number().nullable(),
  /** The number that the customer types. */
  option: z.number(),
  title: z.string(),
  message: z.string(),
  /** Effect of an option without children: wait for a person, transfer to `forwardQueueId`, or end the conversation. */
  leads: z.enum(menuLeafActions),
  forwardQueueId: z.number().nullable(),
  /** The skills that tickets need whose customers chose this option. */
  skillIds: z.array(z.number()),
})
export type QueueOption = z.infer<typeof QueueOption>

/**
 * "" and absence mean the next free number; any other value must be a number that customers can type, other than 0 and
 * #.
 */
const number = z.preprocess(
  (v) => (v === '' || v === null ? undefined : v),
  z.coerce.number().int().min(1).max(99).optional(),
)
/** -1, "", null and absence all mean the top level of the menu. */
const parent = z.preprocess((v) => (v === -1 || v === '-1' ? null : v), nullableRef('queueOption'))

export const QueueOptionWrite = z.object({
  queueId: ref('queue'),
  parentId: parent,
  option: number,
  title: requiredText(1, 120),
  message: optionalText(4096),
  leads: z.enum(menuLeafActions).catch('person').default('person'),
  forwardQueueId: nullableRef('queue'),
  /** Absent: unchanged. */
  skillIds: skillIds.optional(),
})
export type QueueOptionWrite = z.output<typeof QueueOptionWrite>

/**
 * An option of a whole menu. `key` is the caller's own id for it, which its children reference. `id` is the stored
 * option; an option without `id` is new. Its position among its siblings is its number.
 */
export const MenuItemWrite = z.object({
  key: z.coerce.string().min(1).max(40),
  parentKey: z.preprocess((v) => v ?? null, z.coerce.string().max(40).nullable()),
  id: nullableRef('queueOption'),
  title: requiredText(1, 120),
  message: optionalText(4096),
  leads: z.enum(menuLeafActions).catch('person').default('person'),
  forwardQueueId: nullableRef('queue'),
  /** Absent: unchanged. */
  skillIds: skillIds.optional(),
})
export type MenuItemWrite = z.output<typeof MenuItemWrite>
/** A problem that does not prevent saving the menu. */
const MenuFindingReply = z.object({ kind: z.enum(menuFindingKinds), key: z.string().nullable() })

/** -1 is the top level; absent: every level. */
const level = z.coerce.number().int().min(-1).optional().catch(undefined).meta({ entity: 'queueOption' })

const example = { queueId: 1, parentId: null, option: 1, title: 'Garantía', message: 'Cuéntanos qué pasó.' }
const edit = 'queues-page:edit' as const
export const queueOptionsApi = {
  list: get('/queue-options', {
    about: 'The menu of a queue: all of it, or with `parentId` one level (-1 is the top). Without a queue: empty',
    access: 'session',
    query: z.object({ queueId: ref('queue').optional().catch(undefined), parentId: level }),
    reply: z.array(QueueOption),
  }),
  create: post('/queue-options', {
    about: 'Add an option to a menu',
    access: edit,
    body: QueueOptionWrite,
    example,
    reply: QueueOption,
  }),
  order: put('/queue-options/order', {
    about: 'Order the options of a menu under one parent: their numbers are rewritten',
    access: edit,
    body: z.object({ queueId: ref('queue'), parentId: parent, ids: z.array(ref('queueOption')).min(1).max(99) }),
    example: { queueId: 1, parentId: null, ids: [1] },
    reply: z.array(QueueOption),
  }),
  replace: put('/queue/:queueId/options', {
    about: 'Replace the whole menu of a queue atomically. Options with an id keep it',
    bytes: bodyLimitBytes.list,
    access: edit,
    params: z.object({ queueId: ref('queue') }),
    body: z.object({
      options: z.array(MenuItemWrite).max(300),
      /**
       * The options that the author saw. Options that other users added since then are kept, after the author's options.
       * Absent: all options that are not listed are deleted.
       */
      seen: z.array(z.coerce.number().int()).max(1000).optional(),
    }),
    example: { options: [{ key: 'a', parentKey: null, id: null, title: 'Garantía', message: '', leads: 'person' }] },
    reply: z.object({ options: z.array(QueueOption), findings: z.array(MenuFindingReply) }),
  }),
  update: put('/queue-options/:id', {
    about: 'Change an option of a menu',
    access: edit,
    params: idParams('queueOption'),
    // An option cannot move to another queue; a `queueId` in the request is ignored.
    body: QueueOptionWrite.extend({ queueId: ref('queue').optional().catch(undefined) }),
    example,
    reply: QueueOption,
  }),
  remove: del('/queue-options/:id', {
    about: 'Delete an option of a menu and all options below it',
    access: edit,
    params: idParams('queueOption'),
    reply: messageReply,
  }),
}
