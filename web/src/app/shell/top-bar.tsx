import type { SessionUser } from '@recado/contract/users'
import { IconClockExclamation } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../lib/can.tsx'
import { formatPaidUntil, useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { Chip } from '../../ui/chip.tsx'
import { Logo } from '../../ui/logo.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { BellButton } from '../notifications/bell-button.tsx'
import { AnnouncementsButton } from './announcements/announcements-button.tsx'
import { ChatsButton } from './chats/chats-button.tsx'
import { CommandPaletteButton } from './command-palette-button.tsx'
import { HelpButton } from './help-button.tsx'
import { LanguageButton } from './language-button.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { texts } from './texts.ts'
import { ThemeButton } from './theme-button.tsx'
import classes from './top-bar.module.css'
import { daysUntil, expiryWarningDays } from './use-expiry-warning.tsx'
import { UserMenu } from './user-menu.tsx'
import { VolumeButton } from './volume-button.tsx'

export function TopBar({ phone, slotRef }: { phone: boolean; slotRef: (element: HTMLElement | null) => void }) {
  const words = useTexts(texts)
  if (phone) {
    return (
      <header className={classes.root}>
        <Link to="/" aria-label={words.home} className={classes.mark ?? ''}>
          <Logo size={28} />
        </Link>
        <div ref={slotRef} className={classes.slot} />
        <HelpButton isLarge />
        <UserMenu size={32} />
      </header>
    )
  }
  return (
    <header className={classes.root} data-region="bar">
      <Greeting />
      <CommandPaletteButton />
      <div className={classes.tools}>
        <HelpButton />
        <RefreshButton />
        <VolumeButton />
        <ThemeButton />
        <LanguageButton />
        <AnnouncementsButton />
        <ChatsButton />
        <BellButton />
        <UserMenu size={26} hasWord />
      </div>
    </header>
  )
}

function Greeting() {
  const words = useTexts(texts)
  const { user } = useSession()
  const isAdmin = useCan()('drawer-admin-items:view')
  if (!user) return null
  return (
    <div className={classes.greeting}>
      <div className={classes.hello}>
        {words.hello} <b>{user.name}</b> <span aria-hidden="true">·</span> {user.company.name}
      </div>
      {isAdmin && hasExpiryDate(user.company.dueDate) && <PaidUntilChip user={user} />}
    </div>
  )
}

/** Shows the paid-until date. Close to that date it shows the days left and a link to renew. */
function PaidUntilChip({ user }: { user: SessionUser }) {
  const words = useTexts(texts)
  const days = daysUntil(user.company.dueDate)
  if (days >= expiryWarningDays) return <Chip>{words.activeUntil(formatPaidUntil(user))}</Chip>
  return (
    <Link to="/financeiro" className={classes.soon} title={words.activeUntil(formatPaidUntil(user))}>
      <StatusChip
        kind={days < 0 ? 'danger' : 'warn'}
        icon={<IconClockExclamation size={14} stroke={2} aria-hidden="true" />}
      >
        {words.expires(days)}
      </StatusChip>
    </Link>
  )
}

/** A company that never expires has a date in the far future, which is not shown. */
const hasExpiryDate = (dueDate: string): boolean => new Date(dueDate).getFullYear() < 2090
