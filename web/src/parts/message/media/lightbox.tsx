import { ActionIcon, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import type { Message } from '@recado/contract/messages'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { dayTime } from '../../../lib/format.ts'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import { signed } from '../body/message-body.ts'
import { texts } from '../texts.ts'
import classes from './lightbox.module.css'

type Props = { message: Message; all: Message[]; contact: string; onMove: (to: Message) => void; onClose: () => void }

/** Pictures and videos of the conversation, one after the other, as large as they fit. */
export function Lightbox({ message, all, contact, onMove, onClose }: Props) {
  const words = useTexts(texts)
  const index = all.findIndex((one) => one.id === message.id)
  const [before, after] = [all[index - 1], all[index + 1]]
  const name = message.mediaName ?? words.kinds[message.mediaType ?? ''] ?? ''
  // On the window: the focus may be on its way here, or on the video, which has arrows of its own.
  useWindowEvent('keydown', ({ key, target }) => {
    const to = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
    if (to && !(target instanceof HTMLVideoElement)) onMove(to)
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
                {dayTime(message.createdAt)} · {words.of(index + 1, all.length)}
              </span>{' '}
              {signed(message.body).text}
            </div>
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
            <Large message={message} alt={signed(message.body).text || name} />
            {before && (
              <Step label={words.previous} back onClick={() => onMove(before)}>
                <IconChevronLeft size={20} stroke={1.75} />
              </Step>
            )}
            {after && (
              <Step label={words.next} onClick={() => onMove(after)}>
                <IconChevronRight size={20} stroke={1.75} />
              </Step>
            )}
          </div>
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

function Large({ message, alt }: { message: Message; alt: string }) {
  const src = mediaSrc(message.mediaUrl)
  if (message.mediaType !== 'video') return <img key={message.id} src={src} alt={alt} />
  // biome-ignore lint/a11y/useMediaCaption: whatever the customer filmed has no captions
  return <video key={message.id} src={src} controls autoPlay aria-label={alt} />
}

type StepProps = { label: string; back?: boolean; onClick: () => void; children: React.ReactNode }
function Step({ label, back, onClick, children }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      size={40}
      radius="100%"
      className={classes.step ?? ''}
      data-back={back || undefined}
      data-on={!back || undefined}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  )
}

/** The neighbours are there before one asks for them. */
function preload(messages: (Message | undefined)[]): void {
  for (const one of messages) if (one?.mediaType === 'image') new Image().src = mediaSrc(one.mediaUrl)
}
