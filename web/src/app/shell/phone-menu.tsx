import { SegmentedControl } from '@mantine/core'
import { IconHelpCircle, IconLogout, IconRefresh, IconSearch, IconSpeakerphone } from '@tabler/icons-react'
import { use, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useVolume } from '../../lib/sound.ts'
import { type LanguageChoice, languageNames, languages, useTexts, voseo } from '../../lib/texts.ts'
import { useVersion } from '../../lib/version.ts'
import { useLanguageChoice } from '../../ui/language-choices.tsx'
import { ScreenHelpContext } from '../../ui/phone-bar/screen-help-context.ts'
import { useThemeToggle } from '../../ui/theme-toggle.tsx'
import { openPalette } from '../palette/overlay-state.ts'
import { AccountSummary } from './account-summary.tsx'
import { AnnouncementList } from './announcements/announcement-list.tsx'
import { useAnnouncementDialog } from './announcements/use-announcement-dialog.tsx'
import type { AnnouncementFeed as News } from './announcements/use-announcements.ts'
import classes from './phone-menu.module.css'
import { useRefreshScreen } from './refresh-button.tsx'
import { MenuGroups } from './side-menu.tsx'
import { texts } from './texts.ts'
import { VolumePanel } from './volume-panel.tsx'

/** The items that do not fit into the top bar. */
export function PhoneMenu({ feed, onNavigate }: { feed: News; onNavigate: () => void }) {
  const words = useTexts(texts)
  const version = useVersion()
  const [volume, setVolume] = useVolume()
  const [language, choose] = useLanguageChoice()
  return (
    <div className={classes.root}>
      <AccountSummary />
      <MenuGroups onNavigate={onNavigate} />
      <div className={classes.section}>
        <Announcements feed={feed} />
        <Actions onNavigate={onNavigate} />
      </div>
      <div className={classes.section}>
        <div className={classes.label}>{words.language}</div>
        <SegmentedControl
          fullWidth
          aria-label={words.language}
          value={language === voseo ? 'es' : language}
          onChange={(value) => choose(value as LanguageChoice)}
          data={languages.map((one) => ({ value: one, label: languageNames[one] }))}
        />
        {(language === 'es' || language === voseo) && (
          <SegmentedControl
            fullWidth
            aria-label={languageNames.es}
            value={language}
            onChange={(value) => choose(value as LanguageChoice)}
            data={[
              { value: 'es', label: 'Tú puedes' },
              { value: voseo, label: 'Vos podés' },
            ]}
          />
        )}
        <div className={classes.label}>{words.volume}</div>
        <VolumePanel volume={volume} setVolume={setVolume} />
      </div>
      <p className={classes.version}>{version && words.version(version)}</p>
    </div>
  )
}

function Announcements({ feed }: { feed: News }) {
  const words = useTexts(texts)
  const [open, setOpen] = useState(false)
  const [dialog, openWhole] = useAnnouncementDialog()
  const toggle = () => {
    setOpen(!open)
    feed.markSeen()
  }
  return (
    <>
      <button type="button" className={classes.action} aria-expanded={open} onClick={toggle}>
        <IconSpeakerphone size={18} stroke={1.75} aria-hidden="true" />
        {feed.hasUnseen ? words.newAnnouncements : words.announcements}
      </button>
      {open && <AnnouncementList feed={feed} onOpen={openWhole} />}
      {dialog}
    </>
  )
}

function Actions({ onNavigate }: { onNavigate: () => void }) {
  const words = useTexts(texts)
  const { refresh } = useRefreshScreen()
  const theme = useThemeToggle()
  const { logout } = useSession()
  const openHelp = use(ScreenHelpContext)
  return (
    <>
      <button
        type="button"
        className={classes.action}
        onClick={() => {
          onNavigate()
          openHelp?.()
        }}
      >
        <IconHelpCircle size={18} stroke={1.75} aria-hidden="true" />
        {words.help}
      </button>
      <button
        type="button"
        className={classes.action}
        onClick={() => {
          onNavigate()
          openPalette()
        }}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden="true" />
        {words.search}
      </button>
      <button
        type="button"
        className={classes.action}
        onClick={() => {
          refresh()
          onNavigate()
        }}
      >
        <IconRefresh size={18} stroke={1.75} aria-hidden="true" />
        {words.refresh}
      </button>
      <button type="button" className={classes.action} onClick={theme.toggle}>
        <theme.icon size={18} stroke={1.75} aria-hidden="true" />
        {theme.label}
      </button>
      <button type="button" className={classes.action} onClick={logout}>
        <IconLogout size={18} stroke={1.75} aria-hidden="true" />
        {words.logout}
      </button>
    </>
  )
}
