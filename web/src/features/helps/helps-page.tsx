import { Modal, Skeleton } from '@mantine/core'
import { type Help, helpsApi } from '@recado/contract/helps'
import { IconExternalLink, IconHelpCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { RecordsFrame } from '../../records/records-frame.tsx'
import { recordSourceOf, useRecords } from '../../records/use-records.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { HelpCard } from './help-card.tsx'
import classes from './helps.module.css'
import { texts } from './texts.ts'

const source = recordSourceOf(helpsApi)

/** Help videos; the super user manages them in the settings. */
export function HelpsPage() {
  const words = useTexts(texts)
  const records = useRecords(source)
  const [playing, setPlaying] = useState<Help | null>(null)
  const [opened, setOpened] = useState(false)
  const play = (help: Help) => {
    setPlaying(help)
    setOpened(true)
  }
  return (
    <>
      <RecordsFrame
        words={words.words}
        records={records}
        icon={<IconHelpCircle size={26} stroke={1.6} />}
        skeleton={<HelpsSkeleton />}
      >
        {() => (
          <ul className={classes.grid}>
            {records.rows.map((help) => (
              <HelpCard key={help.id} help={help} onPlay={() => play(help)} />
            ))}
          </ul>
        )}
      </RecordsFrame>
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
