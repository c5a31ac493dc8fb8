import { NumberInput, Radio, Select, Switch } from '@mantine/core'
import { offerSecondsLimits, routingModes } from '@recado/contract/queues'
import { maxTicketWeight } from '@recado/contract/routing/skills'
import type { User } from '@recado/contract/users'
import { IconArrowsShuffle, IconHandStop, IconScale } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import type { FieldSlot } from '../../../records/fields/field.ts'
import type { QueueFormValues } from '../queue-form-values.ts'
import { AgentCapacities } from './agent-capacities.tsx'
import { NeededSkills } from './needed-skills.tsx'
import classes from './routing.module.css'
import { routingTexts } from './routing-texts.ts'

const icons = { manual: IconHandStop, roundRobin: IconArrowsShuffle, fewestOpen: IconScale }

const returnTimes = ['', 0, 5, 10, 15, 30, 60] as const
/** The times to choose from, and the saved one if another client chose it. */
const listReturnTimes = (saved: number | ''): (number | '')[] => [...new Set([...returnTimes, saved])]

const helpBelow: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

const switchParts = { body: classes.switchBody ?? '', labelWrapper: classes.switchWords ?? '' }

type Props = FieldSlot<QueueFormValues> & { users: User[] }

/** How the tickets of the queue reach its agents (design w-routing, queue). */
export function RoutingField({ form, error, users }: Props) {
  const words = useTexts(routingTexts)
  const { routing, capacity, weight, ownerFirst, lastAgentFirst, returnAfterMinutes, offerSeconds } = form.values
  return (
    <div className={classes.root}>
      <Radio.Group
        label={words.label}
        value={routing}
        onChange={(mode) => form.setFieldValue('routing', mode as QueueFormValues['routing'])}
      >
        <div className={classes.modes}>
          {routingModes.map((mode) => {
            const Icon = icons[mode]
            const [name, help] = words[mode]
            return (
              <Radio.Card key={mode} value={mode} className={classes.mode ?? ''}>
                <Icon size={20} stroke={1.75} aria-hidden="true" />
                <span>
                  <span className={classes.name}>{name}</span>
                  <span className={classes.help}>{help}</span>
                </span>
              </Radio.Card>
            )
          })}
        </div>
      </Radio.Group>
      {routing !== 'manual' && (
        <>
          <div className={classes.pair}>
            <Switch
              labelPosition="left"
              classNames={switchParts}
              label={words.owner}
              description={words.ownerHelp}
              checked={ownerFirst}
              onChange={(event) => form.setFieldValue('ownerFirst', event.currentTarget.checked)}
            />
            <Switch
              labelPosition="left"
              classNames={switchParts}
              label={words.lastAgent}
              description={words.lastAgentHelp}
              checked={lastAgentFirst}
              onChange={(event) => form.setFieldValue('lastAgentFirst', event.currentTarget.checked)}
            />
          </div>
          <div className={classes.pair}>
            <NumberInput
              label={words.capacity}
              description={words.capacityHelp}
              inputWrapperOrder={helpBelow}
              min={1}
              max={1000}
              allowDecimal={false}
              value={capacity}
              error={error}
              onChange={(value) => form.setFieldValue('capacity', typeof value === 'number' ? value : '')}
            />
            <NumberInput
              label={words.weight}
              description={words.weightHelp}
              inputWrapperOrder={helpBelow}
              min={1}
              max={maxTicketWeight}
              allowDecimal={false}
              clampBehavior="strict"
              value={weight}
              onChange={(value) => form.setFieldValue('weight', typeof value === 'number' ? value : 1)}
            />
          </div>
          <AgentCapacities form={form} users={users} />
          <NeededSkills form={form} />
          <Select
            label={words.leaves}
            description={words.leavesHelp}
            inputWrapperOrder={helpBelow}
            allowDeselect={false}
            value={String(returnAfterMinutes)}
            data={listReturnTimes(returnAfterMinutes).map((minutes) => ({
              value: String(minutes),
              label: minutes === '' ? words.never : words.after(minutes),
            }))}
            onChange={(value) => form.setFieldValue('returnAfterMinutes', value ? Number(value) : '')}
          />
          <NumberInput
            label={words.offer}
            description={words.offerHelp}
            inputWrapperOrder={helpBelow}
            {...offerSecondsLimits}
            allowDecimal={false}
            value={offerSeconds}
            onChange={(value) => form.setFieldValue('offerSeconds', typeof value === 'number' ? value : '')}
          />
          <p className={classes.help}>{words.order}</p>
        </>
      )}
    </div>
  )
}
