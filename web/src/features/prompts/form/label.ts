import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Prompt', pt: 'Prompt', en: 'Prompt' },
}
