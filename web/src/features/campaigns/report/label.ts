import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Informe de la campaña', pt: 'Relatório da campanha', en: 'Campaign report' },
}
