import { Skeleton } from '@mantine/core'
import type { Announcement } from '@recado/contract/announcements'
import type { UIEvent } from 'react'
import { formatDay } from '../../../lib/format.ts'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { texts } from '../texts.ts'
import classes from './announcements.module.css'
import type { AnnouncementFeed } from './use-announcements.ts'

const ownTexts = defineTexts({
  es: {
    none: 'Sin comunicados',
    noneLine: 'Cuando haya novedades, las verás aquí.',
  },
  pt: {
    none: 'Sem comunicados',
    noneLine: 'Quando houver novidades, elas aparecem aqui.',
  },
  en: {
    none: 'No announcements',
    noneLine: 'News will show up here.',
  },
})

type Props = { feed: AnnouncementFeed; onOpen: (announcement: Announcement) => void }

export function AnnouncementList({ feed, onOpen }: Props) {
  const words = useTexts(texts)
  const own = useTexts(ownTexts)
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLElement>) => {
    // Spec, section 9: load the next page within 100 px of the end.
    if (box.scrollHeight - box.scrollTop - box.clientHeight < 100) feed.loadMore()
  }
  return (
    <>
      <h2 className={classes.head}>{words.announcements}</h2>
      <div className={classes.list} onScroll={onScroll}>
        {feed.loading && <AnnouncementSkeleton />}
        {Boolean(feed.error) && <ErrorState error={feed.error} onRetry={feed.retry} />}
        {!feed.loading && !feed.error && feed.list.length === 0 && <EmptyState title={own.none} line={own.noneLine} />}
        {feed.list.map((one) => (
          <Row key={one.id} announcement={one} onOpen={() => onOpen(one)} />
        ))}
      </div>
    </>
  )
}

function Row({ announcement, onOpen }: { announcement: Announcement; onOpen: () => void }) {
  const words = useTexts(texts)
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      {/* Red, amber or grey, plus the priority as a word for users who cannot distinguish the colours. */}
      <span className={classes.priority} data-priority={announcement.priority}>
        <span className="rc-sr">{words.priority[announcement.priority - 1]}</span>
      </span>
      <span className={classes.words}>
        <span className={classes.top}>
          <b>{announcement.title}</b>
          <span className={classes.day}>{formatDay(announcement.createdAt)}</span>
        </span>
        <span className={classes.text}>{announcement.text}</span>
      </span>
      {announcement.mediaPath && <img className={classes.thumb} src={`/public/${announcement.mediaPath}`} alt="" />}
    </button>
  )
}

const lines = [0, 1, 2]

function AnnouncementSkeleton() {
  return lines.map((line) => (
    <div key={line} className={classes.waiting}>
      <Skeleton height={12} width="60%" />
      <Skeleton height={12} mt={8} />
    </div>
  ))
}
