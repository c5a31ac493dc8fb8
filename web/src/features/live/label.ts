import { IconLivePhoto } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'En vivo', pt: 'Ao vivo', en: 'Live' },
  menu: { section: 'work', order: 17, icon: IconLivePhoto },
}
