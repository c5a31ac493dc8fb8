import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is under 600 px: one column, the menu in a drawer, dialogs as sheets. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 37.49em)', undefined, { getInitialValueInEffect: false })
