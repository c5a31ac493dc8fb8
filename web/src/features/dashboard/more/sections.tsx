import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { moreFiguresApi } from '@recado/contract/dashboard/more'
import { useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { Seen } from '../seen.tsx'
import type { Address } from '../use-address.ts'
import { useReader } from '../use-reader.ts'
import { BotCard } from './bot.tsx'
import classes from './more.module.css'
import { OneDay } from './one-day.tsx'
import { Campaigns, Lines } from './outside.tsx'
import { RatingsCard } from './ratings.tsx'
import { Section } from './section.tsx'
import type { Show } from './show.ts'
import { moreTexts } from './texts.ts'
import { Volumes } from './volumes.tsx'

type Props = { address: Address; view: DashboardView; onShow: Show }

/** What stands below the first look. Each part is read when it comes into sight. */
export function Sections({ address, view, onShow }: Props) {
  const words = useTexts(moreTexts)
  const { isAgent } = useReader()
  const one = { height: 320, query: address }
  const ratings = (
    <Section {...one} endpoint={moreFiguresApi.ratings} title={words.ratings}>
      {(read) => <RatingsCard ratings={read} onShow={onShow} />}
    </Section>
  )
  const day = (
    <Seen height={640}>
      <OneDay address={address} view={view} isOwn={isAgent} onShow={onShow} />
    </Seen>
  )
  // Bots, tags and lines are no one person's.
  if (isAgent)
    return (
      <>
        {day}
        <Seen height={320}>{ratings}</Seen>
      </>
    )
  return (
    <>
      {day}
      <Seen height={320}>
        <div className={cards.row}>
          <Section {...one} endpoint={moreFiguresApi.bot} title={words.bot}>
            {(bot) => <BotCard bot={bot} onShow={onShow} />}
          </Section>
          {ratings}
        </div>
      </Seen>
      <Seen height={280}>
        <Section {...one} endpoint={moreFiguresApi.volumes} title={words.volumes}>
          {(volumes) => <Volumes volumes={volumes} onShow={onShow} />}
        </Section>
      </Seen>
      <Seen height={280}>
        <div className={`${cards.row} ${classes.even}`}>
          <Section {...one} endpoint={moreFiguresApi.campaigns} title={words.campaigns}>
            {({ campaigns }) => <Campaigns campaigns={campaigns} />}
          </Section>
          <Section {...one} endpoint={moreFiguresApi.lines} title={words.lines}>
            {({ lines }) => <Lines lines={lines} onShow={onShow} />}
          </Section>
        </div>
      </Seen>
    </>
  )
}
