import { Modal, Skeleton } from '@mantine/core'
import { type Help, helpsApi } from '@recado/contract/helps'
import { IconExternalLink, IconHelpCircle } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { RecordsFrame } from '../../records/records-frame.tsx'
import { recordSourceOf, useRecords } from '../../records/use-records.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { GuideCards } from './guides/guide-cards.tsx'
import { GuideDialog } from './guides/guide-dialog.tsx'
import { type GuideId, isGuideId } from './guides/guide-ids.ts'
import guideClasses from './guides/guides.module.css'
import { HelpCard } from './help-card.tsx'
import classes from './helps.module.css'
import { texts } from './texts.ts'

const source = recordSourceOf(helpsApi)

/** The guides that come with Recado, and the platform's own videos, which the super user manages in the settings. */
export function HelpsPage() {
  const words = useTexts(texts)
  const records = useRecords(source)
  const { guide: named } = useSearch({ strict: false }) as { guide?: unknown }
  const [guide, setGuide] = useState<GuideId | null>(isGuideId(named) ? named : null)
  const [isGuideOpen, setIsGuideOpen] = useState(isGuideId(named))
  const openGuide = (id: GuideId) => {
    setGuide(id)
    setIsGuideOpen(true)
  }
  const hasNoVideos = records.loadState !== 'first' && !records.error && !records.search && records.rows.length === 0
  const [playing, setPlaying] = useState<Help | null>(null)
  const [opened, setOpened] = useState(false)
  const play = (help: Help) => {
    setPlaying(help)
    setOpened(true)
  }
  return (
    <>
      {hasNoVideos ? (
        <div className={classes.page}>
          <PageHeader title={words.words.title} />
          <section
            className={classes.scroller}
            aria-label={words.guides}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
          >
            <GuideCards onOpen={openGuide} />
          </section>
        </div>
      ) : (
        <RecordsFrame
          words={words.words}
          records={records}
          icon={<IconHelpCircle size={26} stroke={1.6} />}
          skeleton={<HelpsSkeleton />}
        >
          {() => (
            <>
              {!records.search && <GuideCards onOpen={openGuide} />}
              <h2 className={guideClasses.head}>{words.videos}</h2>
              <ul className={classes.grid}>
                {records.rows.map((help) => (
                  <HelpCard key={help.id} help={help} onPlay={() => play(help)} />
                ))}
              </ul>
            </>
          )}
        </RecordsFrame>
      )}
      <GuideDialog id={guide} opened={isGuideOpen} onClose={() => setIsGuideOpen(false)} />
      <VideoPlayer help={playing} opened={opened} onClose={() => setOpened(false)} />
    </>
  )
}

type PlayerProps = { help: Help | null; opened: boolean; onClose: () => void }
function VideoPlayer({ help, opened, onClose }: PlayerProps) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={960}
      fullScreen={phone}
      title={help?.title}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {help && (
        <>
          <iframe
            className={classes.player}
            src={`https://www.youtube-nocookie.com/embed/${encodeURIComponent(help.video)}?autoplay=1&rel=0`}
            title={help.title}
            allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
            referrerPolicy="strict-origin-when-cross-origin"
          />
          <div className={classes.about}>
            {help.description && <p>{help.description}</p>}
            <a href={`https://youtu.be/${encodeURIComponent(help.video)}`} target="_blank" rel="noreferrer">
              {words.onYoutube}
              <IconExternalLink size={14} stroke={2} aria-hidden="true" />
            </a>
          </div>
        </>
      )}
    </Modal>
  )
}

function HelpsSkeleton() {
  return (
    <div className={classes.grid}>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <div key={n}>
          <Skeleton className={classes.bone ?? ''} radius={12} />
          <Skeleton height={13} width="70%" mt={12} />
          <Skeleton height={11} width="90%" mt={8} />
        </div>
      ))}
    </div>
  )
}
