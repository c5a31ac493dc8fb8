import type { LabeledScreen, ScreenLabel } from '../lib/screen.ts'
import { screensByFile } from './screens.ts'

const labelsByFile = import.meta.glob<ScreenLabel>('./**/label.ts', {
  base: '../features',
  eager: true,
  import: 'label',
})

/** Every screen with its labels. Only the shell imports this: names and icons are not needed before login. */
export const labeledScreens: LabeledScreen[] = Object.entries(screensByFile).map(([file, screen]) => {
  const label = labelsByFile[file.replace(/screen\.ts$/, 'label.ts')]
  if (!label) throw new Error(`${file} has no label.ts beside it`)
  return { ...screen, ...label }
})
