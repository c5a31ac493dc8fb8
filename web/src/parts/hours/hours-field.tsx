import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import type { Hours } from '@recado/contract/hours/hours'
import { IconChevronDown, IconCopy, IconPlus, IconX } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { FieldError } from '../../ui/text-field.tsx'
import classes from './hours-field.module.css'
import { hoursTexts as texts } from './hours-texts.ts'
import { TimeField } from './time-field.tsx'
import {
  type DayHours,
  findRangeProblems,
  flattenDays,
  groupHoursByDay,
  type HoursRange,
  isOvernight,
  officeHours,
  suggestNextRange,
} from './week-hours.ts'

/** A maximum, because more ranges per day would be confusing. */
const maxRangesPerDay = 4

type Props = { value: Hours[]; onChange: (week: Hours[]) => void }

/** The seven days, each either closed or with one or more ranges. */
export function HoursField({ value, onChange }: Props) {
  const words = useTexts(texts)
  const days = groupHoursByDay(value)
  const change = (next: DayHours[]) => onChange(flattenDays(next, words.days))
  const setAll = (ranges: (index: number) => HoursRange[]) =>
    change(days.map((day, i) => ({ ...day, ranges: ranges(i).map((range) => ({ ...range })) })))
  return (
    <div className={classes.root}>
      <HoursTools days={days} setAll={setAll} />
      <ul className={classes.week}>
        {days.map((day, i) => (
          <DayRow
            key={day.weekday}
            day={day}
            name={words.days[i] ?? day.weekday}
            onChange={(ranges) => change(days.map((other, at) => (at === i ? { ...day, ranges } : other)))}
          />
        ))}
      </ul>
    </div>
  )
}

type DayProps = { day: DayHours; name: string; onChange: (ranges: HoursRange[]) => void }
function DayRow({ day, name, onChange }: DayProps) {
  const words = useTexts(texts)
  const { weekday, ranges } = day
  const problems = findRangeProblems(ranges)
  return (
    <li className={classes.day} data-day={problems.some(Boolean) ? weekday : undefined}>
      <Switch
        className={classes.name ?? ''}
        checked={ranges.length > 0}
        aria-label={words.open(name)}
        label={<span aria-hidden="true">{name}</span>}
        onChange={(event) => onChange(event.currentTarget.checked ? [officeHours] : [])}
      />
      {ranges.length === 0 && <span className={classes.closed}>{words.closed}</span>}
      <div className={classes.ranges}>
        {ranges.map((range, i) => (
          <RangeRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a range is its place in the day
            key={i}
            {...{ range, weekday, name }}
            index={i}
            problem={problems[i] ?? null}
            onChange={(part) => onChange(ranges.map((other, at) => (at === i ? { ...range, ...part } : other)))}
            onRemove={ranges.length > 1 ? () => onChange(ranges.toSpliced(i, 1)) : undefined}
          />
        ))}
      </div>
      {ranges.length > 0 && ranges.length < maxRangesPerDay && (
        <ActionIcon
          size={28}
          className={classes.add ?? ''}
          aria-label={words.addRange(name)}
          title={words.addRange(name)}
          onClick={() => onChange([...ranges, suggestNextRange(ranges)])}
        >
          <IconPlus size={16} stroke={2} />
        </ActionIcon>
      )}
    </li>
  )
}

type RangeProps = {
  range: HoursRange
  weekday: string
  name: string
  index: number
  problem: ReturnType<typeof findRangeProblems>[number]
  onChange: (part: Partial<HoursRange>) => void
  onRemove: (() => void) | undefined
}
function RangeRow({ range, weekday, name, index, problem, onChange, onRemove }: RangeProps) {
  const words = useTexts(texts)
  const note = `hours-${weekday}-${index}`
  // The label of a day's first range is the day; further ranges are labelled by their number.
  const day = index === 0 ? name : words.nth(name, index + 1)
  const wrong = problem !== null
  return (
    <div className={classes.range}>
      <span className={classes.times}>
        <TimeField
          label={words.from(day)}
          value={range.from}
          invalid={wrong}
          describedBy={note}
          onChange={(from) => onChange({ from })}
        />
        <span>{words.until}</span>
        <TimeField
          label={words.to(day)}
          value={range.to}
          invalid={wrong}
          describedBy={note}
          onChange={(to) => onChange({ to })}
        />
        {onRemove && (
          <ActionIcon size={28} aria-label={words.removeRange(day)} title={words.removeRange(day)} onClick={onRemove}>
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        )}
      </span>
      <span id={note} className={classes.note}>
        {problem && <FieldError>{words[problem]}</FieldError>}
        {!problem && isOvernight(range) && <span className={classes.night}>{words.nextDay}</span>}
      </span>
    </div>
  )
}

type ToolsProps = { days: DayHours[]; setAll: (ranges: (index: number) => HoursRange[]) => void }
function HoursTools({ days, setAll }: ToolsProps) {
  const words = useTexts(texts)
  const at = (i: number) => days[i]?.ranges ?? []
  const until = (last: number, from: string, to: string) => () => setAll((i) => (i <= last ? [{ from, to }] : []))
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
