import { ActionIcon, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { useVersion } from '../../lib/version.ts'
import { Logo, Wordmark } from '../../ui/logo.tsx'
import { sectionTexts } from '../menu.ts'
import { MenuLink } from './menu-link.tsx'
import classes from './side-menu.module.css'
import { texts } from './texts.ts'
import { useMenu } from './use-menu.ts'

export function SideMenu({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const words = useTexts(texts)
  return (
    <aside className={classes.root} data-region="menu" data-open={isOpen || undefined}>
      <Link to="/" className={classes.logo ?? ''} aria-label={words.home}>
        {isOpen ? <Wordmark height={22} /> : <Logo size={24} />}
      </Link>
      <MenuGroups rail={!isOpen} />
      <SideMenuFooter isOpen={isOpen} onToggle={onToggle} />
    </aside>
  )
}

export function MenuGroups({ rail = false, onNavigate }: { rail?: boolean; onNavigate?: () => void }) {
  const words = useTexts(texts)
  const names = useTexts(sectionTexts)
  const nav = useScrollCurrentIntoView()
  return (
    <nav ref={nav} aria-label={words.mainMenu} className={classes.nav} data-rail={rail || undefined}>
      {useMenu().map((group) => (
        <div key={group.section} className={classes.group} data-section={group.section}>
          {!rail && names[group.section] && <div className={classes.heading}>{names[group.section]}</div>}
          {group.entries.map((entry) => (
            <MenuLink key={entry.address} entry={entry} rail={rail} {...(onNavigate && { onNavigate: onNavigate })} />
          ))}
        </div>
      ))}
    </nav>
  )
}

/** Scrolls the current item into view on a low screen, where the menu scrolls. */
function useScrollCurrentIntoView() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another entry
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return nav
}

function SideMenuFooter({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const words = useTexts(texts)
  const version = useVersion()
  const label = isOpen ? words.collapse : words.expand
  const Icon = isOpen ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  return (
    <div className={classes.foot}>
      {isOpen && <span className={classes.version}>{version && words.version(version)}</span>}
      <Tooltip label={isOpen || !version ? label : `${label} · ${words.version(version)}`} position="right">
        <ActionIcon size={28} aria-label={label} aria-expanded={isOpen} onClick={onToggle}>
          <Icon size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
