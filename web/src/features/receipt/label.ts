import type { Label } from '../../lib/screen.ts'

export const label: Label = { name: { es: 'Recibo', pt: 'Recibo', en: 'Receipt' } }
