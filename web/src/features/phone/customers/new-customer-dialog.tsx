import { MultiSelect, TextInput } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { type SandboxCustomer, sandboxApi } from '@recado/contract/sandbox'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { useFieldProblemText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { texts } from '../texts.ts'

type Props = {
  line: Connection
  kind: 'person' | 'group'
  people: SandboxCustomer[]
  opened: boolean
  onClose: () => void
  onCreated: (number: string) => void
}

/** Creates a fictional customer, or a group of existing customers. */
export function NewCustomerDialog({ line, kind, people, opened, onClose, onCreated }: Props) {
  const words = useTexts(texts)
  const group = kind === 'group'
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  const [members, setMembers] = useState<string[]>([])
  const {
    busy,
    problem: wrong,
    save,
  } = useSaveCustomer(line, (made) => {
    onClose()
    onCreated(made.number)
  })
  const submit = () => void save({ name, isGroup: group, members, ...(number && { number }) })
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={group ? words.newGroup : words.newPerson}
      submitLabel={words.create}
      onSubmit={submit}
      isBusy={busy}
    >
      <TextInput
        label={words.name}
        maxLength={60}
        data-autofocus
        value={name}
        error={wrong.name && <FieldError>{wrong.name}</FieldError>}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {group ? (
        <MultiSelect
          label={words.members}
          description={words.membersHelp}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={members.length === 0 ? words.pickMembers : ''}
          searchable
          data={people.map((one) => ({ value: one.number, label: one.name }))}
          value={members}
          onChange={setMembers}
          error={wrong.members && <FieldError>{wrong.members}</FieldError>}
        />
      ) : (
        <TextInput
          label={words.number}
          description={words.numberHelp}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          type="tel"
          placeholder="+54 9 11 5555-0001"
          value={number}
          error={wrong.number && <FieldError>{wrong.number}</FieldError>}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

type NewCustomer = { name: string; isGroup: boolean; members: string[]; number?: string }
function useSaveCustomer(line: Connection, onCreated: (made: SandboxCustomer) => void) {
  const client = useQueryClient()
  const problemText = useFieldProblemText()
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const save = async (body: NewCustomer) => {
    const missing = { ...(!body.name.trim() && { name: problemText('Required') }) }
    const nobody = body.isGroup && body.members.length === 0 && { members: problemText('Required') }
    const found = { ...missing, ...nobody }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const made = await callApi(sandboxApi.addCustomer, { params: { whatsappId: line.id }, body })
      await client.invalidateQueries({ queryKey: ['sandbox', line.id, 'customers'] })
      onCreated(made)
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields) : []
      if (fields.length > 0) setWrong(Object.fromEntries(fields.map(([key, problem]) => [key, problemText(problem)])))
      else toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem: wrong, save }
}
