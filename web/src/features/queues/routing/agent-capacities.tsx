import { ActionIcon, NumberInput } from '@mantine/core'
import type { User } from '@recado/contract/users'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { useSkills } from '../../../parts/routing/use-skills.ts'
import type { FieldSlot } from '../../../records/fields/field.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import type { QueueFormValues } from '../queue-form-values.ts'
import classes from './routing.module.css'
import { routingTexts } from './routing-texts.ts'

const maxCapacity = 1000

/** The agents of the queue with their skills, and how many places each of them has. */
export function AgentCapacities({ form, users }: Pick<FieldSlot<QueueFormValues>, 'form'> & { users: User[] }) {
  const words = useTexts(routingTexts)
  const { data: skills = [] } = useSkills()
  const { userIds, agentCapacities, capacity } = form.values
  const agents = users.filter(({ id }) => userIds.includes(String(id)))
  const set = (id: number, value: number | '') =>
    form.setFieldValue('agentCapacities', { ...agentCapacities, [id]: value })
  return (
    <fieldset className={classes.people}>
      <legend className={classes.peopleHead}>
        <span>{words.people}</span>
        <small>{words.peopleNote}</small>
      </legend>
      {agents.length === 0 && <p className={classes.none}>{words.noPeople}</p>}
      <ul className={classes.list}>
        {agents.map(({ id, name, skillIds }) => {
          const own = agentCapacities[id] ?? ''
          const current = own === '' ? capacity : own
          return (
            <li key={id} className={classes.person}>
              <PersonAvatar id={id} name={name} size={26} />
              <span className={classes.personName} title={name}>
                {name}
              </span>
              <span className={classes.marks}>
                {skills
                  .filter((skill) => skillIds.includes(skill.id))
                  .map((skill) => (
                    <span key={skill.id} className={classes.mark}>
                      {skill.language ?? skill.name}
                    </span>
                  ))}
              </span>
              <span className={classes.stepper}>
                <ActionIcon
                  size={30}
                  aria-label={words.fewer(name)}
                  disabled={current === '' || current <= 1}
                  onClick={() => set(id, Math.max(1, Number(current) - 1))}
                >
                  <IconMinus size={15} stroke={2} />
                </ActionIcon>
                <NumberInput
                  variant="unstyled"
                  hideControls
                  aria-label={words.capacityOf(name)}
                  placeholder={words.asQueue(String(capacity))}
                  min={1}
                  max={maxCapacity}
                  allowDecimal={false}
                  clampBehavior="strict"
                  value={own}
                  onChange={(value) => set(id, typeof value === 'number' ? value : '')}
                />
                <ActionIcon
                  size={30}
                  aria-label={words.more(name)}
                  onClick={() => set(id, Math.min(maxCapacity, Number(current) + 1))}
                >
                  <IconPlus size={15} stroke={2} />
                </ActionIcon>
              </span>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
