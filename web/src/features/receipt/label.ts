import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = { name: { es: 'Recibo', pt: 'Recibo', en: 'Receipt' } }
