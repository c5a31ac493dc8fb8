import { useThemeToggle } from '../../ui/theme-toggle.tsx'
import { TopBarButton } from './top-bar-button.tsx'

export function ThemeButton() {
  const { label, icon: Icon, toggle } = useThemeToggle()
  return (
    <TopBarButton label={label} onClick={toggle}>
      <Icon size={18} stroke={1.75} />
    </TopBarButton>
  )
}
