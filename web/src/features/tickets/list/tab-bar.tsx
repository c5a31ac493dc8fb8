import type { Icon } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { CountBadge } from '../../../ui/count-badge.tsx'
import classes from './tab-bar.module.css'

type Tab<V extends string> = { value: V; label: string; icon?: Icon; count?: number | string | undefined }
type Props<V extends string> = {
  label: string
  kind: 'segments' | 'lines'
  tabs: Tab<V>[]
  value: V
  /** The id of the controlled panel. */
  panel: string
  onChange: (value: V) => void
}

/** Tabs as segments or underlined labels. Arrows select, Tab leaves. */
export function TabBar<V extends string>({ label, kind, tabs, value, panel, onChange }: Props<V>) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = (at + by + tabs.length) % tabs.length
    onChange((tabs[next] as Tab<V>).value)
    const button = event.currentTarget.children[next]
    if (button instanceof HTMLElement) button.focus()
  }
  return (
    <div role="tablist" aria-label={label} className={classes.root} data-kind={kind} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${panel}-${tab.value}`}
          aria-selected={tab.value === value}
          aria-controls={panel}
          tabIndex={tab.value === value ? 0 : -1}
          className={classes.tab}
          onClick={() => onChange(tab.value)}
        >
          {tab.icon && <tab.icon size={16} stroke={1.75} aria-hidden="true" />}
          {tab.label}
          {tab.count !== undefined && <CountBadge value={tab.count} />}
        </button>
      ))}
    </div>
  )
}
