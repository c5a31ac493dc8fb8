import { IconDeviceMobileMessage } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Teléfono de prueba', pt: 'Telefone de teste', en: 'Test phone' },
  menu: { section: 'admin', order: 80, icon: IconDeviceMobileMessage },
}
