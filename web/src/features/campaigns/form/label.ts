import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Campaña', pt: 'Campanha', en: 'Campaign' },
}
