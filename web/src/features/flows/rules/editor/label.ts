import type { ScreenLabel } from '../../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Regla', pt: 'Regra', en: 'Rule' },
}
