import { type ContactMedia, contactsApi } from '@recado/contract/contacts'
import { topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import { IconFile, IconMicrophone, IconPhotoOff, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDay } from '../../../lib/format.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { isStoredPdf, PdfLink } from '../../../parts/message/media/pdf-link.tsx'
import { fileExtensionLabel } from '../../../records/fields/file-kind.ts'
import classes from './contact-drawer.module.css'
import { DrawerSection, LoadMoreButton } from './drawer-section.tsx'
import { mediaToMessage } from './media-to-message.ts'
import { texts } from './texts.ts'

const Lightbox = lazy(() =>
  import('../../../parts/message/media/lightbox.tsx').then((module) => ({ default: module.Lightbox })),
)

export function MediaSection({ ticketId, contactId, name }: { ticketId: number; contactId: number; name: string }) {
  const words = useTexts(texts)
  const [large, setLarge] = useState<string | null>(null)
  const key = ['contact-media', contactId]
  const refetch = useRefetchQuery(key)
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      callApi(contactsApi.media, { params: { id: contactId }, query: { pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.hasMore ? pages.length + 1 : undefined),
  })
  const files = query.data?.pages.flatMap((page) => page.media) ?? []
  useLiveTopic(topics.message, (news) => {
    const { message } = news
    const isOurs = 'ticket' in news ? news.ticket.contactId === contactId : message.ticketId === ticketId
    const isKnown = files.some(({ id }) => id === message.id)
    // The media are loaded again for a new or deleted file; receipts and reactions change nothing here.
    if (message.isDeleted ? isKnown : isOurs && !isKnown && isFile(message)) refetch()
  })
  useResync(refetch)
  const seen = files.filter(({ mediaType }) => isPicture(mediaType))
  const otherFiles = files.filter(({ mediaType }) => !isPicture(mediaType))
  return (
    <DrawerSection title={words.media} state={query} emptyText={files.length === 0 && words.noMedia}>
      {seen.length > 0 && (
        <ul className={classes.pictures}>
          {seen.map((one) => (
            <li key={one.id}>
              <MediaPicture media={one} onOpen={() => setLarge(one.id)} />
            </li>
          ))}
        </ul>
      )}
      {otherFiles.length > 0 && (
        <ul className={classes.files}>
          {otherFiles.map((one) => (
            <li key={one.id}>
              <MediaDocument media={one} />
            </li>
          ))}
        </ul>
      )}
      <LoadMoreButton query={query} />
      {large !== null && (
        <Suspense fallback={null}>
          <MediaLightbox id={large} pictures={seen} name={name} onMove={setLarge} onClose={() => setLarge(null)} />
        </Suspense>
      )}
    </DrawerSection>
  )
}

const isFile = ({ mediaUrl, mediaState, mediaType }: Message) =>
  mediaUrl !== null && mediaState !== 'pending' && mediaState !== 'failed' && mediaType !== 'sticker'
const isPicture = (type: string) => type === 'image' || type === 'video'

type LargeProps = {
  id: string
  pictures: ContactMedia[]
  name: string
  onMove: (id: string) => void
  onClose: () => void
}
/** The order of the conversation: older pictures are to the left. */
function MediaLightbox({ id, pictures, name, onMove, onClose }: LargeProps) {
  const all = pictures.map(mediaToMessage).toReversed()
  const message = all.find((one) => one.id === id)
  if (!message) return null
  return <Lightbox message={message} messages={all} contact={name} onMove={(to) => onMove(to.id)} onClose={onClose} />
}

function MediaPicture({ media, onOpen }: { media: ContactMedia; onOpen: () => void }) {
  const words = useTexts(texts)
  const [broken, setBroken] = useState(false)
  const video = media.mediaType === 'video'
  const src = mediaSrc(media.mediaUrl)
  const label = words.sentOn(video ? words.video : words.photo, formatDay(media.createdAt))
  return (
    <button type="button" className={classes.picture} aria-label={label} title={label} onClick={onOpen}>
      {broken ? (
        <IconPhotoOff size={18} stroke={1.6} aria-hidden="true" />
      ) : video ? (
        <>
          {/* The video starts after its first frame, which is often black. */}
          <video
            src={`${src}#t=0.5`}
            preload="metadata"
            muted
            playsInline
            tabIndex={-1}
            onError={() => setBroken(true)}
          />
          <span className={classes.play}>
            <IconPlayerPlayFilled size={12} aria-hidden="true" />
          </span>
        </>
      ) : (
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
    </button>
  )
}

function MediaDocument({ media }: { media: ContactMedia }) {
  const words = useTexts(texts)
  const audio = media.mediaType === 'audio'
  const name = audio ? words.audio : (media.mediaName ?? words.document)
  const src = mediaSrc(media.mediaUrl)
  const content = (
    <>
      <span className={classes.tile} aria-hidden="true">
        {audio ? (
          <IconMicrophone size={16} stroke={1.75} />
        ) : (
          fileExtensionLabel(name) || <IconFile size={16} stroke={1.75} />
        )}
      </span>
      <span className={classes.fileName} title={name}>
        {name}
      </span>
      <time dateTime={media.createdAt}>{formatDay(media.createdAt)}</time>
    </>
  )
  if (isStoredPdf(name, src))
    return (
      <PdfLink className={classes.file} name={name} src={src}>
        {content}
      </PdfLink>
    )
  return (
    <a className={classes.file} href={src} target="_blank" rel="noreferrer">
      {content}
    </a>
  )
}
