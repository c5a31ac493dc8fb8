import { useRouterState } from '@tanstack/react-router'
import { lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react'
import '../../lib/desk-error-texts.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { OfflineBar } from '../../parts/offline-bar.tsx'
import { ConfirmHost } from '../../ui/confirm.tsx'
import { PageHeaderSlot } from '../../ui/page-header-slot.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { ScreenHelpProvider } from './help-button.tsx'
import classes from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { texts } from './texts.ts'
import { TopBar } from './top-bar.tsx'
import { useExpiryWarning } from './use-expiry-warning.tsx'
import { useLiveSession } from './use-live-session.ts'
import { useMenuOpen } from './use-menu.ts'
import { useScreenTitle } from './use-screen-title.ts'
import { useShellShortcuts } from './use-shell-shortcuts.ts'
import { useStorageWarning } from './use-storage-warning.tsx'

const BackgroundTasks = lazy(() =>
  import('./background-tasks.tsx').then((module) => ({ default: module.BackgroundTasks })),
)
const BottomBar = lazy(() => import('./bottom-bar.tsx').then((module) => ({ default: module.BottomBar })))

/** Menu, top bar and the screen. */
export function Shell({ children }: { children: ReactNode }) {
  const phone = useIsPhone()
  const userId = useSession().user?.id ?? 0
  const [open, toggle] = useMenuOpen(userId)
  // On a phone the title and action of the page move into the top bar.
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useLiveSession()
  useExpiryWarning()
  useStorageWarning()
  useScreenTitle()
  useShellShortcuts()
  const talking = useIsConversationOpen()
  return (
    <ScreenHelpProvider>
      <div className={classes.root}>
        <SkipLink />
        {!phone && <SideMenu isOpen={open} onToggle={toggle} />}
        <TopBar phone={phone} slotRef={setSlot} />
        <main id="content" tabIndex={-1} className={classes.main} data-region="content">
          <LoadingLine />
          {/* On a phone the conversation covers this bar and shows its own bar. */}
          {!(phone && talking) && <OfflineBar keepsMessages={talking} />}
          <div id="availability-line" />
          <PageHeaderSlot value={phone ? slot : null}>
            <div className={classes.screen}>{children}</div>
          </PageHeaderSlot>
        </main>
        {phone && (
          <Suspense fallback={<div className={classes.barRoom} />}>
            <BottomBar />
          </Suspense>
        )}
        <ConfirmHost />
        <Suspense fallback={null}>
          <BackgroundTasks />
        </Suspense>
      </div>
    </ScreenHelpProvider>
  )
}

const useIsConversationOpen = (): boolean =>
  useRouterState({ select: (state) => /^\/(tickets|chats)\/./.test(state.location.pathname) })

/** Skips the menus and moves the focus to the open conversation, if any. */
function SkipLink() {
  const words = useTexts(texts)
  const talking = useIsConversationOpen()
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    const target = (talking && document.getElementById('conversation')) || document.getElementById('content')
    target?.focus()
  }
  return (
    <a className={classes.skip} href={talking ? '#conversation' : '#content'} onClick={skip}>
      {talking ? words.skipToConversation : words.skip}
    </a>
  )
}

/** A bar at the top that is shown while the next screen's code loads. */
function LoadingLine() {
  const loading = useRouterState({ select: (state) => state.status === 'pending' })
  return <div className={classes.loading} data-on={loading || undefined} aria-hidden="true" />
}
