import { IconDeviceMobileMessage } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Teléfono de prueba', pt: 'Telefone de teste', en: 'Test phone' },
  menu: { section: 'admin', order: 20, icon: IconDeviceMobileMessage },
}
