import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Campaña', pt: 'Campanha', en: 'Campaign' },
}
