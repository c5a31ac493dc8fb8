import { IconHelpCircle } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { texts } from './texts.ts'
import { TopBarButton } from './top-bar-button.tsx'

const ScreenHelp = lazy(() =>
  import('../../features/helps/guides/screen-help.tsx').then((module) => ({ default: module.ScreenHelp })),
)

export function useScreenHelp(): { open: () => void; dialog: ReactNode } {
  // The dialog is rendered from its first use on, so that it can fade out when it closes.
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const dialog = isOpen !== null && (
    <Suspense fallback={null}>
      <ScreenHelp opened={isOpen} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
  return { open: () => setIsOpen(true), dialog }
}

export function HelpButton() {
  const words = useTexts(texts)
  const { open, dialog } = useScreenHelp()
  return (
    <>
      <TopBarButton label={words.help} onClick={open}>
        <IconHelpCircle size={18} stroke={1.75} />
      </TopBarButton>
      {dialog}
    </>
  )
}
