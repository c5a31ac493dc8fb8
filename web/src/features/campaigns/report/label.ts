import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Informe de la campaña', pt: 'Relatório da campanha', en: 'Campaign report' },
}
