import { Button, Menu, Switch } from '@mantine/core'
import { type Hours, weekdays } from '@recado/contract/hours'
import { IconChevronDown, IconCopy } from '@tabler/icons-react'
import { useTexts } from '../lib/texts.ts'
import { FieldError } from '../ui/text-field.tsx'
import classes from './hours-field.module.css'
import { hoursTexts as texts } from './hours-texts.ts'
import { TimeField } from './time-field.tsx'

const closed = '00:00'
export const isClosed = (hours: Pick<Hours, 'startTime' | 'endTime'>): boolean =>
  hours.startTime === closed && hours.endTime === closed
/** A day that ends before it begins would never be open. */
export const isBackwards = (hours: Hours): boolean => !isClosed(hours) && hours.startTime >= hours.endTime

type Props = { value: Hours[]; onChange: (week: Hours[]) => void }

/** The seven days, each open from and until, or closed. */
export function HoursField({ value, onChange }: Props) {
  const words = useTexts(texts)
  const week = weekdays.map((weekdayEn, i): Hours => {
    const known = value.find((hours) => hours.weekdayEn === weekdayEn)
    return { startTime: closed, endTime: closed, ...known, weekdayEn, weekday: words.days[i] ?? weekdayEn }
  })
  const set = (index: number, times: Partial<Hours>) =>
    onChange(week.map((hours, i) => (i === index ? { ...hours, ...times } : hours)))
  const setAll = (times: (index: number) => [string, string]) =>
    onChange(week.map((hours, i) => ({ ...hours, startTime: times(i)[0], endTime: times(i)[1] })))
  return (
    <div className={classes.root}>
      <Tools week={week} setAll={setAll} />
      <ul className={classes.week}>
        {week.map((hours, i) => (
          <Day key={hours.weekdayEn} hours={hours} onChange={(times) => set(i, times)} />
        ))}
      </ul>
    </div>
  )
}

function Day({ hours, onChange }: { hours: Hours; onChange: (times: Partial<Hours>) => void }) {
  const words = useTexts(texts)
  const open = !isClosed(hours)
  const wrong = isBackwards(hours)
  const note = `hours-${hours.weekdayEn}`
  return (
    <li className={classes.day} data-field={wrong ? hours.weekdayEn : undefined}>
      <Switch
        className={classes.name ?? ''}
        checked={open}
        aria-label={words.open(hours.weekday)}
        label={<span aria-hidden="true">{hours.weekday}</span>}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked
              ? { startTime: '08:00', endTime: '18:00' }
              : { startTime: closed, endTime: closed },
          )
        }
      />
      {open ? (
        <span className={classes.times}>
          <TimeField
            label={words.from(hours.weekday)}
            value={hours.startTime}
            invalid={wrong}
            describedBy={note}
            onChange={(startTime) => onChange({ startTime })}
          />
          <span>{words.until}</span>
          <TimeField
            label={words.to(hours.weekday)}
            value={hours.endTime}
            invalid={wrong}
            describedBy={note}
            onChange={(endTime) => onChange({ endTime })}
          />
        </span>
      ) : (
        <span className={classes.closed}>{words.closed}</span>
      )}
      <span id={note} className={classes.note}>
        {wrong && <FieldError>{words.order}</FieldError>}
      </span>
    </li>
  )
}

type ToolsProps = { week: Hours[]; setAll: (times: (index: number) => [string, string]) => void }
function Tools({ week, setAll }: ToolsProps) {
  const words = useTexts(texts)
  const at = (i: number): [string, string] => [week[i]?.startTime ?? closed, week[i]?.endTime ?? closed]
  const until = (last: number, from: string, to: string) => () =>
    setAll((i) => (i <= last ? [from, to] : [closed, closed]))
  return (
    <div className={classes.tools}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCopy size={15} stroke={1.75} />}
        onClick={() => setAll((i) => at(i <= 4 ? 0 : i))}
      >
        {words.copyWorkdays}
      </Button>
      <Menu position="bottom-start" width={300}>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={15} stroke={2} />}>
            {words.presets}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAll(() => at(0))}>{words.copyAll}</Menu.Item>
          <Menu.Item onClick={until(4, '08:00', '18:00')}>{words.office}</Menu.Item>
          <Menu.Item onClick={until(5, '09:00', '20:00')}>{words.shop}</Menu.Item>
          <Menu.Item onClick={until(6, '00:00', '23:59')}>{words.always}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
