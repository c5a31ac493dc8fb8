import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAd2, IconSearch, IconTags, IconUsers, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useAds, useAllUsers, useTags } from '../../../parts/select-option-queries.ts'
import { useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { FilterPopover } from '../filters/filter-popover.tsx'
import { ticketListTexts } from './texts.ts'
import options from './ticket-list-options.module.css'
import { QueueFilter } from './ticket-list-options.tsx'
import classes from './ticket-search-panel.module.css'

/** The search delay while typing (spec, section 9). */
const searchDebounceMs = 500

/** Search for tickets by text, tags and, for admins, agents. Clearing the text returns to the open tickets. */
export function TicketSearchPanel({ onBack: back }: { onBack: () => void }) {
  const words = useTexts(ticketListTexts)
  const [view, changeView] = useTicketView()
  const [typed, setTyped] = useState(view.search)
  const search = useDebouncedCallback((text: string) => {
    const wanted = text.trim().toLowerCase()
    if (wanted === '' && view.search !== '') back()
    else changeView({ search: wanted })
  }, searchDebounceMs)
  const type = (text: string) => {
    setTyped(text)
    search(text)
  }
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', () => input.current?.focus(), { label: words.keys.search, group: 'list' })
  return (
    <>
      <div className={classes.box}>
        <TextInput
          ref={input}
          type="text"
          role="searchbox"
          aria-label={words.searchLabel}
          placeholder={words.searchLabel}
          value={typed}
          maxLength={200}
          autoComplete="off"
          autoFocus
          leftSection={<IconSearch size={16} stroke={1.75} />}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') back()
          }}
          rightSection={
            typed && (
              <ActionIcon size={24} aria-label={words.clear} onClick={back}>
                <IconX size={15} stroke={2} />
              </ActionIcon>
            )
          }
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend. */}
      <div className={options.root} role="group" aria-label={words.options}>
        <QueueFilter />
        <TagFilter />
        <UserFilter />
        <AdFilter />
      </div>
    </>
  )
}

function TagFilter() {
  const words = useTexts(ticketListTexts)
  const [view, changeView] = useTicketView()
  const { data = [] } = useTags()
  return (
    <FilterPopover
      label={words.tagFilter}
      summary={view.tags.length > 0 ? words.tags(view.tags.length) : words.allTags}
      icon={IconTags}
      choices={data}
      selectedIds={view.tags}
      onChange={(tags) => changeView({ tags })}
    />
  )
}

function UserFilter() {
  const words = useTexts(ticketListTexts)
  const [view, changeView] = useTicketView()
  const may = useCan()('tickets-manager:showall')
  const { data = [] } = useAllUsers(may)
  if (!may) return null
  return (
    <FilterPopover
      label={words.userFilter}
      summary={view.users.length > 0 ? words.users(view.users.length) : words.allUsers}
      icon={IconUsers}
      choices={data.map(({ id, name }) => ({ id, name }))}
      selectedIds={view.users}
      onChange={(users) => changeView({ users })}
    />
  )
}

/** Only companies whose customers come from ads have this filter. */
function AdFilter() {
  const words = useTexts(ticketListTexts)
  const [view, changeView] = useTicketView()
  const { data = [] } = useAds()
  if (data.length === 0) return null
  return (
    <FilterPopover
      label={words.adFilter}
      summary={view.ads.length > 0 ? words.ads(view.ads.length) : words.allAds}
      icon={IconAd2}
      choices={data}
      selectedIds={view.ads}
      onChange={(ads) => changeView({ ads })}
    />
  )
}
