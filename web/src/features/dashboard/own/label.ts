import { IconLayoutDashboard } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Mis números', pt: 'Meus números', en: 'My numbers' },
  nameByProfile: { supervisor: { es: 'Mi equipo', pt: 'Minha equipe', en: 'My team' } },
  menu: { section: 'work', order: 15, icon: IconLayoutDashboard },
}
