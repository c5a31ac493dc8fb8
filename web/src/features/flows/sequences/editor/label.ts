import type { ScreenLabel } from '../../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Secuencia', pt: 'Sequência', en: 'Sequence' },
}
