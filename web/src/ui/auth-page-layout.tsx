import { Button } from '@mantine/core'
import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { defineTexts, languageNames, useLanguage, useTexts } from '../lib/texts.ts'
import { useVersion } from '../lib/version.ts'
import classes from './auth-page-layout.module.css'
import { Wordmark } from './logo.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { TileWall } from './tile-wall.tsx'
import { usePageTitle } from './use-page-title.ts'

const LanguageMenu = lazy(() => import('./language-menu.tsx').then((module) => ({ default: module.LanguageMenu })))

const texts = defineTexts({
  es: { language: 'Idioma', version: (v: string) => `Versión ${v}`, free: 'Software libre, en tu servidor' },
  pt: { language: 'Idioma', version: (v: string) => `Versão ${v}`, free: 'Software livre, no seu servidor' },
  en: { language: 'Language', version: (v: string) => `Version ${v}`, free: 'Free software on your own server' },
})

type Props = { title: string; line: ReactNode; children: ReactNode; onSubmit: () => void }

/** The frame of login, sign-up and reset: a form beside the wall of tiles. */
export function AuthPageLayout({ title, line, children, onSubmit }: Props) {
  usePageTitle(title)
  return (
    <div className={classes.root}>
      <main className={classes.side}>
        <AuthPageHeader />
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.line}>{line}</p>
          <div className={classes.fields}>{children}</div>
        </form>
        <AuthPageFooter />
      </main>
      <div className={classes.wall}>
        <TileWall />
      </div>
    </div>
  )
}

/** The question under the form, with a link to another page. */
export function AuthPageNote({ children }: { children: ReactNode }) {
  return <p className={classes.note}>{children}</p>
}

function AuthPageHeader() {
  return (
    <header className={classes.head}>
      <Wordmark height={28} />
      <span className={classes.space} />
      <LanguagePicker />
      <ThemeToggle />
    </header>
  )
}

/** The language button. The menu is loaded when it is clicked, because most users never change the language. */
function LanguagePicker() {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [isMenuLoaded, setIsMenuLoaded] = useState(false)
  const button = (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      className={classes.language ?? ''}
      leftSection={<IconLanguage size={17} stroke={1.75} />}
      rightSection={<IconChevronDown size={14} stroke={2} />}
      aria-label={`${words.language}: ${languageNames[language]}`}
      aria-haspopup="menu"
      {...(!isMenuLoaded && { onClick: () => setIsMenuLoaded(true) })}
    >
      {languageNames[language]}
    </Button>
  )
  if (!isMenuLoaded) return button
  return (
    <Suspense fallback={button}>
      <LanguageMenu>{button}</LanguageMenu>
    </Suspense>
  )
}

function AuthPageFooter() {
  const words = useTexts(texts)
  const version = useVersion()
  return (
    <footer className={classes.foot}>
      {version && (
        <>
          <span>{words.version(version)}</span>
          <span aria-hidden="true">·</span>
        </>
      )}
      <span>{words.free}</span>
    </footer>
  )
}
