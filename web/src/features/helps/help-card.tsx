import type { Help } from '@recado/contract/helps'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { Bubbles } from '../../ui/bubbles.tsx'
import classes from './helps.module.css'
import { texts } from './texts.ts'

/** The whole card is one button. A help entry without a video is plain text. */
export function HelpCard({ help, onPlay }: { help: Help; onPlay: () => void }) {
  const words = useTexts(texts)
  const inside = (
    <>
      <VideoThumbnail video={help.video} />
      <span className={classes.words}>
        <span className={classes.title}>{help.title}</span>
        <span className={classes.line}>{help.video ? help.description : help.description || words.noVideo}</span>
      </span>
    </>
  )
  return (
    <li className={classes.card}>
      {help.video ? (
        <button type="button" className={classes.inside} onClick={onPlay}>
          {inside}
        </button>
      ) : (
        <div className={classes.inside}>{inside}</div>
      )}
    </li>
  )
}

/** The thumbnail of the video, or the logo's bubbles when it is unavailable. */
function VideoThumbnail({ video }: { video: string }) {
  const [broken, setBroken] = useState(false)
  return (
    <span className={classes.still}>
      {video && !broken ? (
        <img
          src={`https://i.ytimg.com/vi/${encodeURIComponent(video)}/mqdefault.jpg`}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      ) : (
        <Bubbles size={72} />
      )}
      {video && (
        <span className={classes.play} data-corner={broken || undefined}>
          <IconPlayerPlayFilled size={20} aria-hidden="true" />
        </span>
      )}
    </span>
  )
}
