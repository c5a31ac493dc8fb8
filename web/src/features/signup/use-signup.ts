import { companiesApi, Signup } from '@recado/contract/companies'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, callApi } from '../../lib/api.ts'
import { useErrorText } from '../../lib/errors.ts'
import { useSession } from '../../lib/session.tsx'
import { currentLanguage, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { type FieldProblemDetail, findFieldProblems, useFieldProblemWords } from '../../records/field-problems.ts'
import { loadPhoneNumbers, type PhoneValue } from './phone-field.tsx'
import { texts } from './texts.ts'

const emptyValues = { userName: '', name: '', email: '', phone: '', password: '' }
type Field = keyof typeof emptyValues

export function useSignup() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const { login } = useSession()
  const errorText = useErrorText()
  const problemWords = useFieldProblemWords()
  const referrer = useReferrer()
  const [values, setValues] = useState(emptyValues)
  const [country, setCountry] = useState<PhoneValue['country']>(null)
  const [fieldProblems, setFieldProblems] = useState<Record<string, FieldProblemDetail>>({})
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  const set = (field: Field, value: string) => {
    setValues((before) => ({ ...before, [field]: value }))
    setFieldProblems(({ [field]: _, ...rest }) => rest)
  }

  const setPhone = (next: PhoneValue) => {
    setCountry(next.country)
    set('phone', next.typed)
  }

  const submit = async () => {
    if (busy) return
    const problems = findFieldProblems(Signup, values)
    setFieldProblems(problems)
    if (Object.keys(problems).length > 0) return focusFirst(problems)
    setBusy(true)
    setFailed(null)
    try {
      const phone = await parsePhone({ typed: values.phone, country })
      const body = { ...toSignupBody(values, referrer), phone }
      await callApi(companiesApi.signup, { query: { companyId: referrer }, body })
      // If the address already has an account, this login fails. Only the owner of the address learns why, by mail.
      const isIn = await login(values.email.trim(), values.password).then(
        () => true,
        () => false,
      )
      toast.ok(isIn ? words.done : words.received, isIn ? words.doneLine : words.enterLine, { lasts: 6000 })
      if (!isIn) await navigate({ to: '/login' })
    } catch (error) {
      // The text for "this name is taken" belongs to texts that otherwise load after the login.
      await import('../../lib/desk-error-texts.ts').catch(() => undefined)
      setFailed(error)
      if (error instanceof ApiError) setFieldProblems(serverProblems(error))
      setBusy(false)
    }
  }

  const problems = Object.fromEntries(
    Object.entries(fieldProblems).map(([field, problem]) => [field, problemWords(problem)]),
  )
  return {
    values,
    set,
    phone: { typed: values.phone, country },
    setPhone,
    problems: problems as Partial<Record<Field, string>>,
    failure: failed ? errorText(failed) : null,
    busy,
    submit,
  }
}

const toSignupBody = (values: typeof emptyValues, companyId: number | null) => ({
  ...values,
  companyId,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: currentLanguage(),
})

/** The number with its country. Without a known country it is stored as typed. */
async function parsePhone({ typed, country }: PhoneValue): Promise<string> {
  if (!country) return typed.replace(/[^+\d]/g, '')
  const { parsePhoneTyped } = await loadPhoneNumbers()
  return parsePhoneTyped(typed, country)
}

/** The referring company's id from the link, if it looks valid. */
function useReferrer(): number | null {
  const { companyId } = useLocation().search as { companyId?: unknown }
  const id = Number(companyId)
  return Number.isInteger(id) && id > 0 ? id : null
}

const serverProblems = (error: ApiError): Record<string, FieldProblemDetail> =>
  Object.fromEntries(Object.entries(error.fields).map(([field, kind]) => [field, { kind }]))

function focusFirst(problems: Record<string, FieldProblemDetail>): void {
  const names = Object.keys(emptyValues).filter((field) => field in problems)
  document.querySelector<HTMLElement>(`[name="${names[0]}"]`)?.focus()
}
