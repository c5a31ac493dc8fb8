import { FlowDocument } from '@recado/contract/flows/flow-document'
import { expect, it } from 'vitest'
import { hostileFlows } from '../../contract/test/hostile-flows.ts'
import { machineSlowness } from './event-loop-block.ts'

/** In milliseconds of CPU time. */
const maxBlockMs = 50

it.each(hostileFlows)('refuses %s without blocking the event loop', (_, document) => {
  const times = [1, 2, 3].map(() => {
    const start = process.threadCpuUsage()
    expect(FlowDocument.safeParse(document).success).toBe(false)
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  })
  expect(Math.min(...times) / machineSlowness()).toBeLessThan(maxBlockMs)
})
