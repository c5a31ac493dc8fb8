import { ActionIcon, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { Message } from '@recado/contract/messages'
import { parseSignature } from '@recado/contract/text/signature'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { formatDayTime } from '../../../lib/format.ts'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import classes from './lightbox.module.css'

type Props = {
  message: Message
  messages: Message[]
  contact: string
  onMove: (to: Message) => void
  onClose: () => void
}

/** Pictures and videos of the conversation, one at a time, as large as possible. */
export function Lightbox({ message, messages, contact, onMove, onClose }: Props) {
  const words = useTexts(texts)
  const index = messages.findIndex((one) => one.id === message.id)
  const [before, after] = [messages[index - 1], messages[index + 1]]
  const [enlargedId, setLarge] = useState<string | null>(null)
  const isLarge = enlargedId === message.id
  const enlarge = (is: boolean) => setLarge(is ? message.id : null)
  const name = message.mediaName ?? words.kinds[message.mediaType ?? ''] ?? ''
  // The listener is on the window: the focus may not be in the lightbox yet, or on the video, which has its own arrow
  // keys.
  useWindowEvent('keydown', ({ key, target }) => {
    const to = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
    if (to && !(target instanceof HTMLVideoElement)) onMove(to)
    if (message.mediaType === 'image' && (key === '+' || key === '-')) enlarge(key === '+')
  })
  useEffect(() => preload([before, after]), [before, after])
  return (
    <Modal.Root opened fullScreen onClose={onClose} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={words.lightbox}>
        <div className={classes.root}>
          <div className={classes.bar}>
            <div className={classes.what}>
              <b>{message.fromMe ? (message.user?.name ?? words.us) : (message.contact?.name ?? contact)}</b>{' '}
              <span>
                {formatDayTime(message.createdAt)} · {words.of(index + 1, messages.length)}
              </span>{' '}
              {parseSignature(message.body).text}
            </div>
            {message.mediaType === 'image' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={isLarge ? words.shrink : words.enlarge}
                onClick={() => enlarge(!isLarge)}
              >
                {isLarge ? <IconZoomOut size={18} stroke={1.75} /> : <IconZoomIn size={18} stroke={1.75} />}
              </ActionIcon>
            )}
            <ActionIcon
              component="a"
              variant="subtle"
              color="gray"
              size="lg"
              href={mediaSrc(message.mediaUrl)}
              download={name}
              aria-label={words.download(name)}
            >
              <IconDownload size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={words.close}
              onClick={onClose}
              data-autofocus
            >
              <IconX size={18} stroke={1.75} />
            </ActionIcon>
          </div>
          <div className={classes.stage}>
            {message.mediaType === 'image' ? (
              <ZoomableImage
                key={message.id}
                src={mediaSrc(message.mediaUrl)}
                alt={parseSignature(message.body).text || name}
                isEnlarged={isLarge}
                onEnlargedChange={enlarge}
              />
            ) : (
              <VideoPlayer
                key={message.id}
                src={mediaSrc(message.mediaUrl)}
                label={parseSignature(message.body).text || name}
              />
            )}
            {before && (
              <StepButton label={words.previous} isPrevious onClick={() => onMove(before)}>
                <IconChevronLeft size={20} stroke={1.75} />
              </StepButton>
            )}
            {after && (
              <StepButton label={words.next} onClick={() => onMove(after)}>
                <IconChevronRight size={20} stroke={1.75} />
              </StepButton>
            )}
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

type StillProps = { src: string; alt: string; isEnlarged: boolean; onEnlargedChange: (is: boolean) => void }
/** A picture that fits the screen. A click enlarges it three times around that point, and scrolling moves it. */
function ZoomableImage({ src, alt, isEnlarged, onEnlargedChange }: StillProps) {
  const room = useRef<HTMLDivElement>(null)
  const point = useRef({ x: 0.5, y: 0.5 })
  useEffect(() => {
    const { current } = room
    if (!isEnlarged || !current) return
    current.scrollLeft = point.current.x * current.scrollWidth - current.clientWidth / 2
    current.scrollTop = point.current.y * current.scrollHeight - current.clientHeight / 2
    point.current = { x: 0.5, y: 0.5 }
  }, [isEnlarged])
  const press = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    point.current = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }
    onEnlargedChange(!isEnlarged)
  }
  return (
    <div className={classes.room} data-large={isEnlarged || undefined} ref={room}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button above and the keys + and - do the same */}
      <img src={src} alt={alt} onClick={press} />
    </div>
  )
}

function VideoPlayer({ src, label }: { src: string; label: string }) {
  // biome-ignore lint/a11y/useMediaCaption: whatever the customer filmed has no captions
  return <video src={src} controls autoPlay aria-label={label} />
}

type StepProps = { label: string; isPrevious?: boolean; onClick: () => void; children: React.ReactNode }
function StepButton({ label, isPrevious, onClick, children }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      size={40}
      radius="100%"
      className={classes.step ?? ''}
      data-back={isPrevious || undefined}
      data-on={!isPrevious || undefined}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  )
}

/** Preloads the previous and the next picture. */
function preload(messages: (Message | undefined)[]): void {
  for (const one of messages) if (one?.mediaType === 'image') new Image().src = mediaSrc(one.mediaUrl)
}
