import { Button, Popover, TextInput } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { queuesApi } from '@recado/contract/queues'
import { IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { toMenuTestSteps } from './menu-test-steps.ts'
import { usePhoneMessages } from './use-sandbox.ts'

const texts = defineTexts({
  es: {
    keep: 'Guardar como prueba',
    name: 'Nombre de la prueba',
    hint: 'Hasta una persona',
    save: 'Guardar prueba',
    kept: 'Prueba guardada',
    keptLine: 'Se compara con el menú cada vez que cambia.',
  },
  pt: {
    keep: 'Salvar como teste',
    name: 'Nome do teste',
    hint: 'Até uma pessoa',
    save: 'Salvar teste',
    kept: 'Teste salvo',
    keptLine: 'É comparado com o menu cada vez que ele muda.',
  },
  en: {
    keep: 'Save as test',
    name: 'Test name',
    hint: 'All the way to a person',
    save: 'Save test',
    kept: 'Test saved',
    keptLine: 'Compared with the menu every time it changes.',
  },
})

/** Saves the conversation on this phone as a test of the menu that is being tried out. */
export function SaveAsMenuTest({ line, chat, queueId }: { line: Connection; chat: string; queueId: number }) {
  const words = useTexts(texts)
  const { messages } = usePhoneMessages(line.id, chat)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [name, setName] = useState('')
  const steps = toMenuTestSteps(messages)
  const save = async () => {
    setBusy(true)
    try {
      const body = { name: name.trim() || words.hint, whatsappId: line.id, steps }
      await callApi(queuesApi.saveTest, { params: { queueId }, body })
      toast.ok(words.kept, words.keptLine)
      setOpen(false)
      setName('')
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus returnFocus shadow="lg" width={300}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFlask size={17} stroke={1.75} />}
          disabled={!steps.some((step) => step.bot.length > 0)}
          onClick={() => setOpen(!open)}
        >
          {words.keep}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextInput
            label={words.name}
            placeholder={words.hint}
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="light" size="xs" mt={10} loading={busy}>
            {words.save}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
