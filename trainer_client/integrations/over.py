"""When an agent has nothing left to do."""

from trainer_client.async_episode import AsyncEpisode


async def is_over(episode: AsyncEpisode) -> bool:
    """Whether no turn will follow: the episode has ended, or all it waits for is its judge."""
    stands = await episode.refresh()
    return stands.done or stands.awaiting_judge
