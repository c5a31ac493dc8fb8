import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Flujo', pt: 'Fluxo', en: 'Flow' },
}
