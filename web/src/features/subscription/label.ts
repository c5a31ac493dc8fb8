import type { Label } from '../../lib/screen.ts'

export const label: Label = { name: { es: 'Suscripción', pt: 'Assinatura', en: 'Subscription' } }
