import { Group, NumberInput, Radio, Switch } from '@mantine/core'
import { routingModes } from '@recado/contract/queues'
import { IconArrowsShuffle, IconHandStop, IconScale } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import type { FieldSlot } from '../../records/fields/field.ts'
import type { QueueFormValues } from './queue-form-values.ts'
import classes from './routing-field.module.css'

const texts = defineTexts({
  es: {
    label: 'Cómo llegan los tickets',
    manual: ['A mano', 'Cada quien acepta'],
    roundRobin: ['Por turno', 'Uno para cada quien'],
    fewestOpen: ['Menos abiertos', 'A quien lleva menos'],
    capacity: 'Tickets abiertos a la vez',
    capacityHelp: 'Quien llega a ese número no recibe más. Vacío: sin límite. Cada persona puede tener el suyo.',
    lastAgent: 'Primero a quien lo atendió',
    lastAgentHelp: 'Si está disponible y tiene lugar.',
    order: 'Siempre sale primero el que más espera. Reciben quienes están conectados y disponibles.',
  },
  pt: {
    label: 'Como os tickets chegam',
    manual: ['Manual', 'Cada pessoa aceita'],
    roundRobin: ['Rodízio', 'Um para cada pessoa'],
    fewestOpen: ['Menos abertos', 'Para quem tem menos'],
    capacity: 'Tickets abertos ao mesmo tempo',
    capacityHelp: 'Quem chega a esse número não recebe mais. Vazio: sem limite. Cada pessoa pode ter o seu.',
    lastAgent: 'Primeiro para quem atendeu',
    lastAgentHelp: 'Se estiver disponível e tiver lugar.',
    order: 'Sempre sai primeiro quem espera há mais tempo. Recebem as pessoas conectadas e disponíveis.',
  },
  en: {
    label: 'How tickets arrive',
    manual: ['By hand', 'People accept them'],
    roundRobin: ['In turn', 'One for each person'],
    fewestOpen: ['Fewest open', 'To who has fewest'],
    capacity: 'Open tickets at once',
    capacityHelp: 'Whoever has that many gets no more. Empty: no limit. People can have a number of their own.',
    lastAgent: 'First to who attended them',
    lastAgentHelp: 'If that person is available and has a free place.',
    order: 'The one who has waited longest always goes first. Tickets go to people who are connected and available.',
  },
})
const icons = { manual: IconHandStop, roundRobin: IconArrowsShuffle, fewestOpen: IconScale }

/** How the tickets of the queue reach its agents (design w-routing, queue). */
export function RoutingField({ form, error }: FieldSlot<QueueFormValues>) {
  const words = useTexts(texts)
  const { routing, capacity, lastAgentFirst } = form.values
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
          <Group align="flex-start" grow>
            <NumberInput
              label={words.capacity}
              description={words.capacityHelp}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              min={1}
              max={1000}
              allowDecimal={false}
              value={capacity}
              error={error}
              onChange={(value) => form.setFieldValue('capacity', typeof value === 'number' ? value : '')}
            />
            <Switch
              mt={26}
              label={words.lastAgent}
              description={words.lastAgentHelp}
              checked={lastAgentFirst}
              onChange={(event) => form.setFieldValue('lastAgentFirst', event.currentTarget.checked)}
            />
          </Group>
          <p className={classes.help}>{words.order}</p>
        </>
      )}
    </div>
  )
}
