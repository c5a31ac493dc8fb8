import { IconCode } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'API de mensajes', pt: 'API de mensagens', en: 'Messages API' },
  menu: { section: 'admin', order: 70, icon: IconCode },
}
