import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowKind } from '@recado/contract/flows/flow-line'
import { flowTestsApi } from '@recado/contract/flows/flow-tests'
import { flowsApi } from '@recado/contract/flows/flows'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'
import type { LibraryTest } from '../library/library-items.ts'

const addresses: Record<FlowKind, (id: string) => string> = {
  rule: (id) => `/rules/${id}`,
  sequence: (id) => `/rules/sequences/${id}`,
  flow: (id) => `/flows/${id}`,
}

/** Creates a draft, with its test if it has one, and opens it. A double click creates one. */
export function useCreateFlow() {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const create = async (name: string, document: FlowDocument, test?: LibraryTest): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      const { id } = await callApi(flowsApi.create, { body: { name, document } })
      if (test) await callApi(flowTestsApi.create, { params: { id }, body: { name, ...test } })
      await navigate({ to: addresses[document.kind](String(id)) })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { create, isBusy }
}
