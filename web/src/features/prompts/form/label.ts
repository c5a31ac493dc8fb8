import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Prompt', pt: 'Prompt', en: 'Prompt' },
}
