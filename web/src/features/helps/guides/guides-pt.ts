import type { Guides } from './guide-ids.ts'

export const guides: Guides = {
  'first-line': {
    title: 'Conectar sua primeira linha',
    about: 'Do seu WhatsApp à lista de tickets em cinco minutos.',
    steps: [
      'Abra Linhas e escolha Nova linha. Dê um nome que sua equipe reconheça, por exemplo Vendas.',
      'Escolha o tipo. Telefone com QR usa um WhatsApp que você já tem; API oficial é a via da Meta e não depende de um telefone.',
      'Salve. No celular abra o WhatsApp, Dispositivos conectados, Conectar dispositivo, e escaneie o código.',
      'Quando a linha disser Conectada, peça para alguém escrever: a mensagem aparece em Tickets, Em espera.',
    ],
    tip: 'Para praticar sem arriscar seu número, crie uma linha com o Telefone de teste: nada sai do seu servidor.',
    go: 'Ir para Linhas',
  },
  'queue-menu': {
    title: 'Uma fila e seu menu',
    about: 'Cada cliente chega às pessoas que podem ajudar.',
    steps: [
      'Abra Filas e escolha Nova fila. Uma fila é uma equipe: Vendas, Suporte, Administração.',
      'Marque as linhas e as pessoas da fila. Só essas pessoas veem os tickets em espera dela.',
      'Na aba Menu adicione opções com um título curto. Cada uma mostra mais opções, passa para uma pessoa, passa para outra fila ou responde e termina.',
      'À direita você vê o que seu cliente verá. Digite ali para testar antes de salvar.',
    ],
    tip: 'Três ou quatro opções bastam. Deixe sempre uma que leve a uma pessoa.',
    go: 'Ir para Filas',
  },
  invite: {
    title: 'Convidar sua equipe',
    about: 'Uma conta por pessoa, com suas filas desde o primeiro dia.',
    steps: [
      'Abra Usuários e escolha Novo usuário. Digite o nome e o e-mail.',
      'Deixe a senha vazia: a pessoa recebe um convite e escolhe a dela. Se o servidor não envia e-mails, copie o link e envie.',
      'Escolha o perfil. Um agente atende, um supervisor também vê sua equipe, um administrador configura tudo.',
      'Marque as filas. Sem nenhuma fila, a pessoa não verá os tickets em espera.',
    ],
    tip: 'Um convite vale por sete dias. Você pode reenviar pela lista de usuários.',
    go: 'Ir para Usuários',
  },
  'quick-replies': {
    title: 'Respostas rápidas',
    about: 'O que você escreve todo dia, com duas teclas.',
    steps: [
      'Abra Respostas rápidas e crie uma com um atalho curto: frete, horario, pix.',
      'Escreva a mensagem. {{firstName}} vira o nome do cliente e {{ms}}, a saudação da hora.',
      'Se precisar, adicione um arquivo: uma tabela de preços, um mapa, uma foto.',
      'Em um ticket digite / e as primeiras letras do atalho, e aperte Enter. Dá para mudar o texto antes de enviar.',
    ],
    tip: 'As que você marcar para toda a empresa valem para a equipe inteira; as outras são só suas.',
    go: 'Ir para Respostas rápidas',
  },
  hours: {
    title: 'Horário de atendimento',
    about: 'O que acontece quando um cliente escreve e não há ninguém.',
    steps: [
      'Em Configurações, Opções, escolha quem define o horário: a empresa ou cada fila.',
      'Na aba Horário marque os dias e as horas. Um dia pode ter vários períodos.',
      'Em Feriados adicione os dias sem atendimento. Os que se repetem, uma vez só com Todo ano.',
      'Escreva a mensagem de fora do horário na linha ou na fila. O cliente a recebe uma vez e o ticket fica em espera.',
    ],
    tip: 'As metas de resposta contam só minutos do horário: a noite não atrasa você.',
    go: 'Ir para Configurações',
  },
  campaigns: {
    title: 'Campanhas sem ser bloqueado',
    about: 'O WhatsApp bloqueia quem escreve de repente para desconhecidos. Veja como evitar.',
    steps: [
      'Escreva só para quem deu o número e espera notícias suas. Monte a lista com uma planilha ou por condições.',
      'Deixe o ritmo em Proteger o número. Uma linha nova envia pouco no começo e mais a cada dia.',
      'Escreva dois ou três textos diferentes, com {nome}, e diga quem você é. Explique como sair: quem responde SAIR não recebe mais.',
      'Veja o plano antes de começar: quantas pessoas recebem, quem não e por quê, e quando. Envie um teste para você.',
      'Se muitas falharem ou pedirem para sair, pare a campanha e revise a lista.',
    ],
    tip: 'Para volume de verdade use a API oficial com modelos aprovados: custa por mensagem, mas não arrisca seu número.',
    go: 'Ir para Campanhas',
  },
  reports: {
    title: 'Ler os relatórios',
    about: 'Quanto seus clientes esperam e onde falta gente.',
    steps: [
      'O Painel mostra o período que você escolher. Com Comparar você vê cada número ao lado do anterior.',
      'Clique em um número para ver os tickets por trás dele. O sinal ? ao lado explica como é contado.',
      'Pessoas necessárias e pessoas on-line diz a que hora faltou gente. Quando escrevem, que dias reforçar.',
      'Salve qualquer cartão como CSV ou PNG, ou a página como PDF. Copie o link para compartilhar a mesma visualização.',
    ],
    tip: 'No seu perfil ative o resumo semanal: chega às segundas com os números da semana anterior.',
    go: 'Ir para o Painel',
  },
  moving: {
    title: 'Vir de outro sistema',
    about: 'Traga contatos, ou todo o histórico do ticketz ou do Whaticket.',
    steps: [
      'Só contatos: em Contatos escolha Importar, De uma planilha. Confira o que é cada coluna; o que não serve aparece antes de importar.',
      'Todo o histórico: quem opera o servidor faz uma cópia do banco anterior e executa npm run import com --dry-run para ver o que viria.',
      'Sem --dry-run entram empresas, usuários com a senha, filas, menus, contatos, tickets, mensagens e arquivos. Nada é enviado a ninguém.',
      'Conecte as linhas no Recado e desvincule do sistema anterior: dois programas não podem usar o mesmo número.',
    ],
    tip: 'No dia da troca repita a importação com --later: traz só o que é novo dos últimos dias.',
    go: 'Ir para Contatos',
  },
}
