import { Menu } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { LanguageChoices } from '../../ui/language-choices.tsx'
import { texts } from './texts.ts'
import { TopBarButton } from './top-bar-button.tsx'

export function LanguageButton() {
  const words = useTexts(texts)
  const [open, setOpen] = useState(false)
  return (
    <Menu opened={open} onChange={setOpen} position="bottom-end" width={220}>
      <Menu.Target>
        <TopBarButton label={words.language} isActive={open}>
          <IconLanguage size={18} stroke={1.75} />
        </TopBarButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={words.language}>
        <LanguageChoices />
      </Menu.Dropdown>
    </Menu>
  )
}
