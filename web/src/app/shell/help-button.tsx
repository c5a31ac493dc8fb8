import { IconHelpCircle } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, use, useCallback, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { ScreenHelpContext } from '../../ui/phone-bar/screen-help-context.ts'
import { texts } from './texts.ts'
import { TopBarButton } from './top-bar-button.tsx'

const ScreenHelp = lazy(() =>
  import('../../features/helps/guides/screen-help.tsx').then((module) => ({ default: module.ScreenHelp })),
)

/** Lets everything below open the guide of the current screen. */
export function ScreenHelpProvider({ children }: { children: ReactNode }) {
  // The dialog is rendered from its first use on, so that it can fade out when it closes.
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const open = useCallback(() => setIsOpen(true), [])
  return (
    <ScreenHelpContext value={open}>
      {children}
      {isOpen !== null && (
        <Suspense fallback={null}>
          <ScreenHelp opened={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </ScreenHelpContext>
  )
}

export function HelpButton({ isLarge = false }: { isLarge?: boolean }) {
  const words = useTexts(texts)
  const open = use(ScreenHelpContext)
  return (
    <TopBarButton label={words.help} onClick={() => open?.()}>
      <IconHelpCircle size={isLarge ? 22 : 18} stroke={1.75} />
    </TopBarButton>
  )
}
