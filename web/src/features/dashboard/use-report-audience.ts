import { useCan } from '../../lib/can.tsx'

/** Who reads the page: whoever sees the whole company, a supervisor with their queues, or an agent with their own. */
export function useReportAudience(): { isWhole: boolean; isAgent: boolean } {
  const may = useCan()
  const isWhole = may('dashboard:view')
  return { isWhole, isAgent: !isWhole && !may('tickets:lead') }
}
