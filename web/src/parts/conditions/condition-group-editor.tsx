import { Button } from '@mantine/core'
import {
  type ConditionGroup,
  isConditionGroup,
  listConditions,
  maxConditionLevels,
  maxConditions,
} from '@recado/contract/views/ticket-conditions'
import { IconBrackets, IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { Token } from '../token/token.tsx'
import { replaceAt } from './condition-draft.ts'
import classes from './conditions.module.css'
import { conditionTexts } from './texts.ts'

type Props<C extends object> = {
  group: ConditionGroup<C>
  /** The words before and after the choice between all and any. */
  heading: string[]
  /** A new condition. */
  empty: C
  renderLine: (condition: C, onChange: (condition: C) => void) => ReactNode
  onChange: (group: ConditionGroup<C>) => void
  /** Each line of the outermost group has its own box. */
  hasBoxedLines?: boolean
  /** Lines after the conditions that cannot be changed. */
  children?: ReactNode
}

/** Conditions as sentences of tokens. Groups are nested no deeper than the contract's type states. */
export function ConditionGroupEditor<C extends object>(props: Props<C>) {
  return <GroupEditor {...props} level={1} isFull={listConditions(props.group).length >= maxConditions} />
}

function GroupEditor<C extends object>(props: Props<C> & { level: number; isFull: boolean }) {
  const { group, heading, level, isFull, empty, hasBoxedLines, renderLine, onChange, children } = props
  const words = useTexts(conditionTexts)
  const [before, after] = heading
  const add = (node: C | ConditionGroup<C>) => onChange({ ...group, of: [...group.of, node] })
  return (
    <>
      <div className={classes.sentence}>
        {before}
        <Token
          label={words.match}
          choices={[
            { value: 'all', name: words.all },
            { value: 'any', name: words.any },
          ]}
          selected={[group.match]}
          onChange={([match]) => onChange({ ...group, match: match === 'any' ? 'any' : 'all' })}
        />
        {after}
      </div>
      <div className={classes.group} data-boxed={hasBoxedLines || undefined}>
        {group.of.map((node, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id and are not reordered.
          <div key={i} className={classes.row}>
            <span className={classes.word}>{i > 0 && (group.match === 'all' ? words.and : words.or)}</span>
            <div className={isConditionGroup(node) ? undefined : classes.line}>
              {isConditionGroup(node) ? (
                <GroupEditor
                  {...{ empty, renderLine, isFull }}
                  group={node}
                  heading={words.group}
                  level={level + 1}
                  onChange={(next) => onChange(replaceAt(group, i, next))}
                />
              ) : (
                renderLine(node, (next) => onChange(replaceAt(group, i, next)))
              )}
            </div>
            <button
              type="button"
              className={classes.remove}
              aria-label={isConditionGroup(node) ? words.removeGroup : words.remove}
              onClick={() => onChange(replaceAt(group, i, null))}
            >
              <IconX size={16} stroke={1.75} aria-hidden="true" />
            </button>
          </div>
        ))}
        {children}
        <div className={classes.adding}>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isFull}
            leftSection={<IconPlus size={14} stroke={2} />}
            onClick={() => add(empty)}
          >
            {words.addCondition}
          </Button>
          {level < maxConditionLevels && (
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={isFull}
              leftSection={<IconBrackets size={14} stroke={2} />}
              onClick={() => add({ match: group.match === 'all' ? 'any' : 'all', of: [empty] })}
            >
              {words.addGroup}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}
