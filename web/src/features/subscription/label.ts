import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = { name: { es: 'Suscripción', pt: 'Assinatura', en: 'Subscription' } }
