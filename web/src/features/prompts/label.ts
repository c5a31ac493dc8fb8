import { IconSparkles } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Prompts de IA', pt: 'Prompts de IA', en: 'AI prompts' },
  menu: { section: 'automation', order: 40, icon: IconSparkles },
}
