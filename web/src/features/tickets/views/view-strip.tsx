import { Menu, Popover } from '@mantine/core'
import type { TicketView as SavedView } from '@recado/contract/views/ticket-views'
import { IconAdjustmentsHorizontal, IconChevronDown, IconLink, IconPencil, IconPlus } from '@tabler/icons-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { copyText } from '../../../lib/copy.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { measureTextWidth } from '../filters/measure-text-width.ts'
import { viewTexts } from './texts.ts'
import { useViewCounts } from './use-views.ts'
import classes from './view-strip.module.css'

const ViewEditor = lazy(() => import('./view-editor.tsx').then((module) => ({ default: module.ViewEditor })))
type Edited = { view: SavedView | null }
type CountOf = ReturnType<typeof useViewCounts>

/** An address with this parameter opens a view. */
const viewParameter = 'view'
function useViewFromAddress(): void {
  const [, changeView] = useTicketView()
  const open = useEffectEvent((id: number) => changeView({ tab: 'open', search: '', viewId: id }))
  useEffect(() => {
    const id = Number(new URLSearchParams(location.search).get(viewParameter))
    if (Number.isInteger(id) && id > 0) open(id)
  }, [])
}

type ViewStripProps = {
  views: SavedView[]
  /** The filters and the order of the lists, where the first view is created. */
  Options: ComponentType<{ onCreateView?: () => void }>
}
/** The saved views above the list, with live counts: as many as fit, the others in a menu. */
export function ViewStrip({ views, Options }: ViewStripProps) {
  const [edited, setEdited] = useState<Edited | null>(null)
  useViewFromAddress()
  return (
    <>
      {views.length > 0 ? (
        <Strip views={views} onEdit={setEdited} options={<Options />} />
      ) : (
        <Options onCreateView={() => setEdited({ view: null })} />
      )}
      {edited && (
        <Suspense fallback={null}>
          <ViewEditor view={edited.view} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  )
}

type StripProps = { views: SavedView[]; onEdit: (edited: Edited) => void; options: ReactNode }
function Strip({ views, onEdit, options }: StripProps) {
  const words = useTexts(viewTexts)
  const [view, changeView] = useTicketView()
  const phone = useIsPhone()
  const countOf = useViewCounts(true)
  const [width, setWidth] = useState(0)
  const toggle = (id: number) => changeView({ viewId: view.viewId === id ? null : id })
  const ordered = withPressedFirst(views, view.viewId)
  const shown = phone ? ordered : ordered.slice(0, countFitting(ordered, countOf, width))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend.
    <div className={classes.root} role="group" aria-label={words.strip}>
      {views.slice(0, 9).map((one, i) => (
        <ViewShortcut key={one.id} place={i + 1} name={one.name} onPress={() => toggle(one.id)} />
      ))}
      <div ref={(chips) => watchWidth(chips, setWidth)} className={classes.chips}>
        {shown.map((one) => (
          <button
            key={one.id}
            type="button"
            className={classes.chip}
            aria-pressed={view.viewId === one.id}
            title={describeCount(countOf(one.id), words)}
            onClick={() => toggle(one.id)}
          >
            <span className={classes.name}>{one.name}</span>
            <span className={classes.count}>{formatCount(countOf(one.id))}</span>
          </button>
        ))}
      </div>
      <ViewMenu {...{ views, hidden: views.length - shown.length, countOf, onToggle: toggle, onEdit }} />
      <FilterButton>{options}</FilterButton>
    </div>
  )
}

const formatCount = (count: number | null | undefined): string =>
  count === undefined ? '·' : count === null ? '–' : formatNumber(count)
function describeCount(
  count: number | null | undefined,
  words: { counting: string; unknown: string; counted: (count: number) => string },
): string {
  return count === undefined ? words.counting : count === null ? words.unknown : words.counted(count)
}

/** The pressed view is always visible: it takes the place of the last one that fits. */
function withPressedFirst(views: SavedView[], pressedId: number | null): SavedView[] {
  const pressed = views.find(({ id }) => id === pressedId)
  return pressed ? [pressed, ...views.filter((view) => view !== pressed)] : views
}

/** Reports the width now and whenever it changes, until the element is removed. */
function watchWidth(element: HTMLElement | null, report: (width: number) => void): (() => void) | undefined {
  if (!element) return
  const observer = new ResizeObserver(() => report(element.clientWidth))
  observer.observe(element)
  return () => observer.disconnect()
}

const chipPadding = 34
function countFitting(views: SavedView[], countOf: CountOf, width: number): number {
  let left = width
  // The width is measured for 11 px text, and a chip has 12 px.
  const fits = (view: SavedView) => {
    left -= Math.ceil(measureTextWidth(`${view.name}${formatCount(countOf(view.id))}`) * 1.1) + chipPadding
    return left >= 0
  }
  const end = views.findIndex((view) => !fits(view))
  return Math.max(1, end === -1 ? views.length : end)
}

function ViewShortcut({ place, name, onPress }: { place: number; name: string; onPress: () => void }) {
  useShortcut(`alt+${place}`, onPress, { label: useTexts(viewTexts).key(name), group: 'list' })
  return null
}

type ViewMenuProps = {
  views: SavedView[]
  hidden: number
  countOf: CountOf
  onToggle: (id: number) => void
  onEdit: (edited: Edited) => void
}
function ViewMenu({ views, hidden, countOf, onToggle, onEdit }: ViewMenuProps) {
  const words = useTexts(viewTexts)
  const me = useSession().user?.id
  const phone = useIsPhone()
  const [{ viewId }] = useTicketView()
  const pressed = views.find(({ id }) => id === viewId)
  const isOwn = ({ user }: SavedView) => user?.id === me
  const section = (label: string, some: SavedView[]) =>
    some.length > 0 && (
      <>
        <Menu.Label>{label}</Menu.Label>
        {some.map((view) => (
          <Menu.Item
            key={view.id}
            leftSection={!isOwn(view) && view.user && <PersonAvatar {...view.user} size={20} />}
            rightSection={
              <span className={classes.hint}>
                {formatCount(countOf(view.id))}
                {!phone && views.indexOf(view) < 9 && <kbd>Alt {views.indexOf(view) + 1}</kbd>}
              </span>
            }
            fw={view.id === viewId ? 600 : undefined}
            aria-current={view.id === viewId || undefined}
            onClick={() => onToggle(view.id)}
          >
            {view.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
      </>
    )
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <button
          type="button"
          className={`${classes.chip} ${classes.more}`}
          aria-label={hidden > 0 ? words.moreLabel(hidden) : undefined}
        >
          {hidden > 0 ? words.more(hidden) : words.views}
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {section(words.own, views.filter(isOwn))}
        {section(
          words.shared,
          views.filter((view) => !isOwn(view)),
        )}
        <Menu.Item
          leftSection={<IconPlus size={16} stroke={1.75} />}
          rightSection={<span className={classes.hint}>{words.fromFilter}</span>}
          onClick={() => onEdit({ view: null })}
        >
          {words.create}
        </Menu.Item>
        {pressed && (
          <Menu.Item
            leftSection={<IconLink size={16} stroke={1.75} />}
            onClick={({ currentTarget }) =>
              void copyText(`${location.origin}/tickets?${viewParameter}=${pressed.id}`, currentTarget)
            }
          >
            {words.copyLink}
          </Menu.Item>
        )}
        {pressed?.editable && (
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit({ view: pressed })}>
            {words.edit(pressed.name)}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The filters and the order of the lists, which a saved view replaces. */
function FilterButton({ children }: { children: ReactNode }) {
  const words = useTexts(viewTexts)
  const [view] = useTicketView()
  const isFiltered = view.queueIds !== null || view.order !== 'newest'
  return (
    <Popover position="bottom-end" withinPortal={false} shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={classes.filters}
          aria-label={words.filters}
          title={words.filters}
          data-on={isFiltered || undefined}
          disabled={view.viewId !== null}
        >
          <IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} w={340} maw="90vw">
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
